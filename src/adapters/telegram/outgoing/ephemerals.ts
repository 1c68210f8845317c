import { type Clock, DAY_MS } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Records } from '../../../base/keyv/records.ts';
import type { Caller } from '../../../command/place.ts';
import type { TelegramFault } from '../api/fault.ts';
import type { Ephemeral } from '../api/refs.ts';

/** Where Telegram has refused an ephemeral message, one is tried again after this time. */
const REFUSED_MS = 10 * 60_000;
const MOST_REFUSED = 10_000;
/** An app that has shown that it knows ephemeral messages is taken to know them for so long. */
const KNOWN_MS = 30 * DAY_MS;
/** A Bot API server that does not know them is tried again after this time: it may have been updated. */
const UNSUPPORTED_MS = 30 * DAY_MS;

const appKey = ({ id }: Caller): string => `telegram:new-app:${id}`;
const serverKey = (root: string): string => `telegram:no-ephemerals:${root}`;

/** Telegram's words for a bot that is no administrator of the chat. Whatever else it says concerns one person. */
const NO_ADMINISTRATOR = /bot_not_admin|chat_admin_required|need administrator rights/i;

/**
 * Where ephemeral messages are possible. Telegram says so by refusing them, a Bot API server that is too old by showing them to
 * everybody, and an app by how it sends commands. `root`: the address of the Bot API.
 */
export function createEphemerals(clock: Pick<Clock, 'now'>, state: Records, root: string) {
  const refused = new Map<string, number>();
  const keyOf = (chat: number, { receiver, trigger }: Ephemeral): string =>
    `${chat}:${receiver}:${trigger ? 'answer' : 'first'}`;
  /** The key of messages that answer nothing: only administrators may send them, which concerns the whole chat. */
  const chatKeyOf = (chat: number): string => `${chat}:first`;
  const refuse = (key: string): void => {
    refused.delete(key);
    refused.set(key, clock.now() + REFUSED_MS);
    keepLatest(refused, MOST_REFUSED);
  };
  const isRefused = (key: string): boolean => (refused.get(key) ?? 0) > clock.now();
  const forget = (caller: Caller): Promise<unknown> => state.delete(appKey(caller));
  /** False, too, for a person of whom nothing is known: an app that is too old would show nothing, and nobody is told. */
  const isShownTo = async (caller: Caller): Promise<boolean> => (await state.get(appKey(caller))) === true;
  return {
    async isPossible(chat: number, as: Ephemeral): Promise<boolean> {
      if (isRefused(keyOf(chat, as)) || (!as.trigger && isRefused(chatKeyOf(chat)))) return false;
      return (await state.get(serverKey(root))) !== true;
    },
    /** A refusal for one person says nothing about the others, who may still be in the group. */
    refusedIn(chat: number, as: Ephemeral, { message }: TelegramFault): void {
      refuse(as.trigger || !NO_ADMINISTRATOR.test(message) ? keyOf(chat, as) : chatKeyOf(chat));
    },
    /** The server has shown one to everybody. */
    unsupported: () => state.set(serverKey(root), true, UNSUPPORTED_MS),
    /** The bot's rights have changed. */
    tryAgainIn(chat: number): void {
      for (const key of refused.keys()) if (key.startsWith(`${chat}:`)) refused.delete(key);
    },
    isShownTo,
    /**
     * The person's app has sent an ephemeral message, or a press of a button of one, or has sent as an ordinary message a command
     * that other apps send ephemerally. Of several apps of one person the one that was used last counts.
     */
    async sent(caller: Caller, isEphemeral: boolean): Promise<void> {
      if (isEphemeral) await state.set(appKey(caller), true, KNOWN_MS);
      else if (await isShownTo(caller)) await forget(caller);
    },
    forget,
  };
}

export type Ephemerals = ReturnType<typeof createEphemerals>;
