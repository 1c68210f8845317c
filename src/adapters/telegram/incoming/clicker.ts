import type { CallbackQuery, ChatMember } from 'grammy/types';
import type { Clock } from '../../../base/clock.ts';
import { type Caller, channelSpeakerId } from '../../../command/place.ts';
import type { Calls } from '../api/api.ts';
import { retryLater } from '../api/retry-later.ts';
import { ADMIN_STATUSES, memberOf } from './moderators.ts';
import { anonymousId, callerOf } from './parse.ts';

export interface Clicker {
  readonly caller: Caller;
  /**
   * Set where the command was sent as a channel: the channel as caller, if this person is one of its administrators.
   */
  readonly forChannel?: () => Promise<Caller | undefined>;
}

/** If Telegram does not answer in time, the press counts as the person's own. */
const MOST_PAUSE_MS = 1_000;
const MEMBER_TIMEOUT_MS = 3_000;

/**
 * Who pressed a button. Telegram names the person, also where the command was sent as the group or as a channel. A press by
 * an anonymous administrator counts as the group. A press on a channel's command counts as the person, unless the desk
 * demands the owner: then as the channel, if Telegram says that the person administers it (the bot must be one, too).
 */
export function createClicker({ call, clock }: { readonly call: Calls; readonly clock: Clock }) {
  const memberIn = (chat: number, user: number): Promise<ChatMember | undefined> =>
    retryLater(() => memberOf(call, chat, user, MEMBER_TIMEOUT_MS), clock, { mostMs: MOST_PAUSE_MS }).catch(
      () => undefined,
    );

  return async ({ from, message }: CallbackQuery): Promise<Clicker> => {
    const caller = callerOf(from);
    const asked =
      message !== undefined && 'reply_to_message' in message ? message.reply_to_message : undefined;
    const speaker = asked?.sender_chat;
    if (message === undefined || speaker === undefined) return { caller };
    if (speaker.id === message.chat.id) {
      const member = await memberIn(speaker.id, from.id);
      const hidden = member !== undefined && 'is_anonymous' in member && member.is_anonymous === true;
      return { caller: hidden ? { ...caller, id: anonymousId(speaker.id) } : caller };
    }
    return {
      caller,
      async forChannel() {
        const member = await memberIn(speaker.id, from.id);
        const speaksForIt = member !== undefined && ADMIN_STATUSES.includes(member.status);
        return speaksForIt ? { ...caller, id: channelSpeakerId(message.chat.id) } : undefined;
      },
    };
  };
}
