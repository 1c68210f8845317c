import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import type { Caller } from '../../../command/place.ts';
import type { Ephemeral } from '../api/refs.ts';

/** What was refused is tried again after this time. */
const REFUSED_MS = 10 * 60_000;
const MOST_REFUSED = 10_000;
const TOO_OLD_MS = 30 * 24 * 3_600_000;

const oldAppKey = ({ id }: Caller): string => `telegram:old-app:${id}`;

/** Where ephemeral messages are possible: Telegram says so by refusing them, and an app by how it sends commands. */
export function createEphemerals(clock: Pick<Clock, 'now'>, state: KeyValue) {
  const refused = new Map<string, number>();
  // Without what the person did only administrators may, which is so for the whole chat. What one person is refused else says
  // nothing about the others: a person who leaves a group must not end ephemeral answers there.
  const keyOf = (chat: number, { receiver, trigger }: Ephemeral): string =>
    trigger ? `${chat}:${receiver}` : `${chat}:first`;
  /** False: the person's app is too old. It would show nothing, and nobody is told. */
  const isShownTo = async (caller: Caller): Promise<boolean> => (await state.get(oldAppKey(caller))) !== true;
  const forget = (caller: Caller): Promise<unknown> => state.delete(oldAppKey(caller));
  return {
    isPossible: (chat: number, as: Ephemeral): boolean => (refused.get(keyOf(chat, as)) ?? 0) <= clock.now(),
    refusedIn(chat: number, as: Ephemeral): void {
      refused.delete(keyOf(chat, as));
      refused.set(keyOf(chat, as), clock.now() + REFUSED_MS);
      keepLatest(refused, MOST_REFUSED);
    },
    /** The bot's rights have changed. */
    tryAgainIn(chat: number): void {
      for (const key of refused.keys()) if (key.startsWith(`${chat}:`)) refused.delete(key);
    },
    isShownTo,
    /** The person has sent a command that an app sends ephemerally if it can. */
    async sent(caller: Caller, isEphemeral: boolean): Promise<void> {
      if ((await isShownTo(caller)) === isEphemeral) return;
      await (isEphemeral ? forget(caller) : state.set(oldAppKey(caller), true, TOO_OLD_MS));
    },
    forget,
  };
}

export type Ephemerals = ReturnType<typeof createEphemerals>;
