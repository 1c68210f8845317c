import type { CallbackQuery, ChatMember } from 'grammy/types';
import type { Clock } from '../../clock.ts';
import type { Caller } from '../../command/place.ts';
import type { Calls } from './api.ts';
import { askAgain } from './ask-again.ts';
import { memberOf, ranks } from './moderators.ts';
import { anonymousId, callerOf, channelId } from './parse.ts';

/** Who pressed, and whether what was pressed belongs to a channel that we cannot connect with them. */
export interface Presser {
  readonly caller: Caller;
  readonly forChannel: boolean;
}

/** The presser waits, and the press counts as theirs when Telegram cannot tell in time. */
const mostPauseMs = 1_000;
const patienceMs = 3_000;

/**
 * What somebody asked for as the group, or as a channel, belongs to that; Telegram shows who presses. It counts as the
 * group's from an administrator who hides there, and as a channel's from its administrators, as far as Telegram tells
 * us who they are: that is where we are one, too.
 */
export const createPresser = ({ call, clock }: { readonly call: Calls; readonly clock: Clock }) => {
  const standing = (chat: number, user: number): Promise<ChatMember | undefined> =>
    askAgain(() => memberOf(call, chat, user, patienceMs), clock, { mostMs: mostPauseMs }).catch(
      () => undefined,
    );

  return async ({ from, message }: CallbackQuery): Promise<Presser> => {
    const caller = callerOf(from);
    const asked =
      message !== undefined && 'reply_to_message' in message ? message.reply_to_message : undefined;
    const speaker = asked?.sender_chat;
    if (message === undefined || speaker === undefined) return { caller, forChannel: false };
    const member = await standing(speaker.id, from.id);
    if (speaker.id === message.chat.id) {
      const hidden = member !== undefined && 'is_anonymous' in member && member.is_anonymous === true;
      return { caller: hidden ? { ...caller, id: anonymousId(speaker.id) } : caller, forChannel: false };
    }
    const speaksForIt = member !== undefined && ranks.includes(member.status);
    return speaksForIt
      ? { caller: { ...caller, id: channelId(speaker.id) }, forChannel: false }
      : { caller, forChannel: true };
  };
};
