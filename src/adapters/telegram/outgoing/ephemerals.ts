import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import type { Caller } from '../../../command/place.ts';
import type { Ephemeral } from '../api/refs.ts';

/** What was refused is tried again after this time. */
const REFUSED_MS = 10 * 60_000;
const MOST_REFUSED = 10_000;
const SHOWN_MS = 30 * 24 * 3_600_000;

function shownKey({ id }: Caller): string {
  return `telegram:ephemeral:${id}`;
}

/** Where ephemeral messages are possible: Telegram says so by refusing them, and an app by sending them. */
export function createEphemerals(clock: Pick<Clock, 'now'>, state: KeyValue) {
  const refused = new Map<string, number>();
  // Without what the person did only administrators may: a refusal of one says nothing about the other. Nor does one person's
  // about the others, or whoever leaves a group would end ephemeral answers there.
  const keyOf = (chat: number, { receiver, trigger }: Ephemeral): string =>
    `${chat}:${receiver}:${trigger ? 'answer' : 'first'}`;
  /** Whether the person's app shows them: one that is too old shows nothing, and nobody is told. */
  const isShownTo = async (caller: Caller): Promise<boolean> => (await state.get(shownKey(caller))) === true;
  const forget = (caller: Caller): Promise<unknown> => state.delete(shownKey(caller));
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
      await (isEphemeral ? state.set(shownKey(caller), true, SHOWN_MS) : forget(caller));
    },
    forget,
  };
}

export type Ephemerals = ReturnType<typeof createEphemerals>;
