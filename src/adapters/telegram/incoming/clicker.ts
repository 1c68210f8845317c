import type { CallbackQuery, ChatMember } from 'grammy/types';
import type { Clock } from '../../../base/clock.ts';
import { type Caller, channelSpeakerId } from '../../../command/place.ts';
import type { Calls } from '../api/api.ts';
import { retryLater } from '../api/retry-later.ts';
import { memberOf, ranks } from './moderators.ts';
import { anonymousId, callerOf } from './parse.ts';

export interface Clicker {
  readonly caller: Caller;
  /**
   * Where a channel asked for what was pressed: as whom the press counts if it is not the presser's own; `undefined`: we
   * cannot see that they speak for that channel.
   */
  readonly forChannel?: () => Promise<Caller | undefined>;
}

/** The presser waits, and the press counts as theirs when Telegram cannot tell in time. */
const mostPauseMs = 1_000;
const patienceMs = 3_000;

/**
 * What somebody asked for as the group, or as a channel, belongs to that; Telegram shows who presses. It counts as the
 * group's from an administrator who hides there. What a channel asked for counts to the person who presses; only what is
 * its own to end counts as the channel's, from its administrators, as far as Telegram tells us who they are: that is where
 * we are one, too.
 */
export const createClicker = ({ call, clock }: { readonly call: Calls; readonly clock: Clock }) => {
  const standing = (chat: number, user: number): Promise<ChatMember | undefined> =>
    retryLater(() => memberOf(call, chat, user, patienceMs), clock, { mostMs: mostPauseMs }).catch(
      () => undefined,
    );

  return async ({ from, message }: CallbackQuery): Promise<Clicker> => {
    const caller = callerOf(from);
    const asked =
      message !== undefined && 'reply_to_message' in message ? message.reply_to_message : undefined;
    const speaker = asked?.sender_chat;
    if (message === undefined || speaker === undefined) return { caller };
    if (speaker.id === message.chat.id) {
      const member = await standing(speaker.id, from.id);
      const hidden = member !== undefined && 'is_anonymous' in member && member.is_anonymous === true;
      return { caller: hidden ? { ...caller, id: anonymousId(speaker.id) } : caller };
    }
    return {
      caller,
      async forChannel() {
        const member = await standing(speaker.id, from.id);
        const speaksForIt = member !== undefined && ranks.includes(member.status);
        return speaksForIt ? { ...caller, id: channelSpeakerId(message.chat.id) } : undefined;
      },
    };
  };
};
