import { type Clock, DAY_MS } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Records } from '../../../base/keyv/records.ts';
import type { Caller } from '../../../command/place.ts';
import type { TelegramFault } from '../api/fault.ts';
import type { Ephemeral } from '../api/refs.ts';

/** After Telegram has refused an ephemeral message, none is tried there for this time. */
const REFUSED_MS = 10 * 60_000;
const MOST_REFUSED = 10_000;
/** How long an app that has shown that it knows ephemeral messages is assumed to know them. */
const KNOWN_MS = 30 * DAY_MS;
/**
 * A Bot API server that does not know ephemeral messages is tried again after this time, because it may have been updated.
 */
const UNSUPPORTED_MS = 30 * DAY_MS;

const appKey = ({ id }: Caller): string => `telegram:new-app:${id}`;
const serverKey = (root: string): string => `telegram:no-ephemerals:${root}`;

/** Matches errors for a bot that is no administrator of the chat; any other refusal concerns only one person. */
const NO_ADMINISTRATOR = /bot_not_admin|chat_admin_required|need administrator rights/i;

/**
 * Remembers where ephemeral messages are possible: Telegram refuses them where they are not, a Bot API server that is too
 * old shows them to everybody, and an app shows by its way of sending commands whether it knows them. `root`: the address of
 * the Bot API.
 */
export function createEphemerals(clock: Pick<Clock, 'now'>, state: Records, root: string) {
  const refused = new Map<string, number>();
  const keyOf = (chat: number, { receiver, trigger }: Ephemeral): string =>
    `${chat}:${receiver}:${trigger ? 'answer' : 'first'}`;
  /**
   * The key of ephemeral messages that answer nothing. Only administrators may send them, so a refusal concerns the whole
   * chat.
   */
  const chatKeyOf = (chat: number): string => `${chat}:first`;
  const refuse = (key: string): void => {
    refused.delete(key);
    refused.set(key, clock.now() + REFUSED_MS);
    keepLatest(refused, MOST_REFUSED);
  };
  const isRefused = (key: string): boolean => (refused.get(key) ?? 0) > clock.now();
  const forget = (caller: Caller): Promise<unknown> => state.delete(appKey(caller));
  /**
   * Whether the person's app is known to show ephemeral messages; an app that does not know them shows nothing, and no error
   * is reported.
   */
  const isShownTo = async (caller: Caller): Promise<boolean> => (await state.get(appKey(caller))) === true;
  return {
    /** Whether an ephemeral message may be tried in this chat. */
    async isPossible(chat: number, as: Ephemeral): Promise<boolean> {
      if (isRefused(keyOf(chat, as)) || (!as.trigger && isRefused(chatKeyOf(chat)))) return false;
      return (await state.get(serverKey(root))) !== true;
    },
    /** Notes a refusal, for one person, or for the whole chat if the bot is no administrator there. */
    refusedIn(chat: number, as: Ephemeral, { message }: TelegramFault): void {
      refuse(as.trigger || !NO_ADMINISTRATOR.test(message) ? keyOf(chat, as) : chatKeyOf(chat));
    },
    /** Notes that the Bot API server has shown an ephemeral message to everybody. */
    unsupported: () => state.set(serverKey(root), true, UNSUPPORTED_MS),
    /** Forgets the refusals in a chat, because the bot's rights there have changed. */
    tryAgainIn(chat: number): void {
      for (const key of refused.keys()) if (key.startsWith(`${chat}:`)) refused.delete(key);
    },
    isShownTo,
    /**
     * Notes whether the person's app knows ephemeral messages: it has sent one or a press on one, or has sent as an ordinary
     * message a command that other apps send ephemerally. If a person has several apps, the last used one counts.
     */
    async sent(caller: Caller, isEphemeral: boolean): Promise<void> {
      if (isEphemeral) await state.set(appKey(caller), true, KNOWN_MS);
      else if (await isShownTo(caller)) await forget(caller);
    },
    forget,
  };
}

export type Ephemerals = ReturnType<typeof createEphemerals>;
