import type { Chat, MaybeInaccessibleMessage, Message, User } from 'grammy/types';
import { type Caller, channelSpeakerId, type Place } from '../../../command/place.ts';
import { shorten } from '../../../command/shorten.ts';

/** Telegram's account for anonymous administrators (GroupAnonymousBot). */
const ANONYMOUS_ADMINISTRATOR = 1_087_968_824;

/** The desk's place for a message: a group is a community, and a private chat is one of its person. */
export const placeOf = ({ id, type }: Chat, user: number, thread: number | undefined): Place => ({
  platform: 'telegram',
  community: type === 'private' ? `telegram:dm:${user}` : `telegram:${id}`,
  channel: String(id),
  ...(thread === undefined ? {} : { thread: String(thread) }),
  direct: type === 'private',
});

/**
 * The topic that a message belongs to; undefined in the general topic, and for old messages, whose content Telegram leaves
 * out.
 */
export const topicOf = (message: MaybeInaccessibleMessage): number | undefined =>
  'is_topic_message' in message && message.is_topic_message ? message.message_thread_id : undefined;

export const personName = (user: Pick<User, 'first_name' | 'last_name'>): string =>
  shorten([user.first_name, user.last_name].filter(Boolean).join(' '), 128);

/** The desk's caller for a Telegram account. */
export const callerOf = (user: User): Caller => ({
  platform: 'telegram',
  id: String(user.id),
  name: personName(user),
  locale: user.language_code ?? '',
});

/** The caller id of all anonymous administrators of a chat, which is valid in that chat only. */
export const anonymousId = (chat: number): string => `anonymous:${chat}`;

/** Accounts that Telegram uses for anonymous administrators, channels and posts of linked channels. */
const STAND_IN_ACCOUNTS: readonly number[] = [ANONYMOUS_ADMINISTRATOR, 136_817_688, 777_000];

/**
 * The caller id of a message's sender: the person's if Telegram names one, else one id for everybody who writes there as a
 * channel.
 */
export function speakerId({
  sender_chat: speaker,
  from,
  chat,
}: Pick<Message, 'sender_chat' | 'from' | 'chat'>): string | undefined {
  const isPerson = from !== undefined && !STAND_IN_ACCOUNTS.includes(from.id) && !from.is_bot;
  if (speaker === undefined || isPerson) return from === undefined ? undefined : String(from.id);
  const hidden = from?.id === ANONYMOUS_ADMINISTRATOR && speaker.id === chat.id;
  return hidden ? anonymousId(chat.id) : channelSpeakerId(chat.id);
}

/** The caller who has sent a message: a person, an anonymous administrator or a channel. */
export function senderOf(message: Message & { from: User }): Caller {
  const { sender_chat: chat, from } = message;
  const person = callerOf(from);
  const id = speakerId(message) ?? person.id;
  if (chat === undefined || id === person.id) return person;
  return { ...person, id, name: shorten('title' in chat ? (chat.title ?? '') : '', 128), locale: '' };
}
