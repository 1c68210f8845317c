import type { Chat, Message, User } from 'grammy/types';
import { photoFromLink } from '../../../command/link.ts';
import type { PhotoRef } from '../../../command/photo.ts';
import { type Caller, channelSpeakerId, type Place } from '../../../command/place.ts';
import { shorten } from '../../../command/shorten.ts';
import { headOf } from '../../../command/text/grammar.ts';
import { withoutTrailing } from '../../../command/text/trim-end.ts';
import { photosIn } from '../api/picture-refs.ts';

/** Who we are, so that commands for other bots and answers to them are told apart. */
export interface Me {
  readonly id: number;
  readonly username: string;
}

/** A message, or an album, that is meant for us. */
export interface IncomingMessage {
  readonly caller: Caller;
  readonly place: Place;
  readonly text: string;
  readonly photos: readonly PhotoRef[];
  /** A picture that Telegram will not give us is among them. */
  readonly tooLarge: boolean;
  /** Nothing but what is no picture: a video, a GIF, some other file. */
  readonly otherKind: boolean;
  /** The message to answer to. */
  readonly message: number;
}

/** Telegram's account that stands for administrators who hide their names. */
const anonymousAdministrator = 1_087_968_824;

export const placeOf = (chat: Chat, user: number, thread: number | undefined): Place => ({
  platform: 'telegram',
  community: chat.type === 'private' ? `telegram:dm:${user}` : `telegram:${chat.id}`,
  channel: String(chat.id),
  ...(thread === undefined ? {} : { thread: String(thread) }),
  direct: chat.type === 'private',
});

export const nameOf = (user: Pick<User, 'first_name' | 'last_name'>): string =>
  shorten([user.first_name, user.last_name].filter(Boolean).join(' '), 128);

export const callerOf = (user: User): Caller => ({
  platform: 'telegram',
  id: String(user.id),
  name: nameOf(user),
  locale: user.language_code ?? 'en',
});

/** The id under which an administrator who hides acts: good in that chat alone. */
export const anonymousId = (chat: number): string => `anonymous:${chat}`;

/** Accounts that Telegram puts in place of the person: who hides among the administrators, a channel, a channel's posts. */
const standIns: readonly number[] = [anonymousAdministrator, 136_817_688, 777_000];

/** Whom a message counts as: the person where Telegram tells, else everybody who speaks there as a channel. */
export const speakerId = ({
  sender_chat: speaker,
  from,
  chat,
}: Pick<Message, 'sender_chat' | 'from' | 'chat'>): string | undefined => {
  const isPerson = from !== undefined && !standIns.includes(from.id) && !from.is_bot;
  if (speaker === undefined || isPerson) return from === undefined ? undefined : String(from.id);
  const hidden = from?.id === anonymousAdministrator && speaker.id === chat.id;
  return hidden ? anonymousId(chat.id) : channelSpeakerId(chat.id);
};

const speakerOf = (message: Message & { from: User }): Caller => {
  const { sender_chat: chat, from } = message;
  const person = callerOf(from);
  const id = speakerId(message) ?? person.id;
  if (chat === undefined || id === person.id) return person;
  return { ...person, id, name: shorten('title' in chat ? (chat.title ?? '') : '', 128) };
};

export interface TypedCommand {
  readonly name: string;
  /** The line without the bot's name in it. */
  readonly line: string;
  readonly addressed: boolean;
}

/** `other`: a command, but for another bot. */
export const typedCommand = (text: string, me: Me): TypedCommand | 'other' | undefined => {
  const head = headOf(text.trim());
  if (head === undefined) return undefined;
  const { name, bot, rest } = head;
  if (bot !== undefined && bot.toLowerCase() !== me.username.toLowerCase()) return 'other';
  return { name, line: `/${name}${rest}`, addressed: bot !== undefined };
};

const textOf = (message: Message): string => message.text ?? message.caption ?? '';

/** How many pictures a command can use; undefined when it is none of ours. */
export type ImagesNeeded = (command: string) => number | undefined;

/** Photos of the message itself; what it answers to joins them when they are too few, and comes first. */
const gather = (messages: readonly Message[], wanted: number): ReturnType<typeof photosIn> => {
  const own = messages.map((message) => photosIn(message));
  const all = { photos: own.flatMap((each) => each.photos), tooLarge: own.some((each) => each.tooLarge) };
  if (all.photos.length >= Math.max(wanted, 1)) return all;
  const answered = messages.find((message) => message.reply_to_message ?? message.external_reply);
  const more = photosIn(answered?.reply_to_message ?? answered?.external_reply ?? {});
  const link = answered && all.photos.length === 0 ? linkAnswered(answered) : undefined;
  if (link !== undefined && more.photos.length === 0 && !more.tooLarge) return { ...all, photos: [link] };
  return { photos: [...more.photos, ...all.photos], tooLarge: all.tooLarge || more.tooLarge };
};

const web = /https:\/\/\S+/i;

/**
 * The first address in what a command answers to, unless the command names one itself. In a channel's comments everything
 * answers to the channel's post, which nobody chose.
 */
const linkAnswered = (message: Message): PhotoRef | undefined => {
  const { reply_to_message: answered } = message;
  if (answered === undefined || answered.is_automatic_forward || web.test(textOf(message))) return undefined;
  const hidden = (answered.entities ?? answered.caption_entities ?? []).find(
    (each) => each.type === 'text_link',
  );
  const [address] = web.exec(textOf(answered)) ?? [hidden?.url];
  return address === undefined ? undefined : photoFromLink(withoutTrailing(address, ').,;:!?]'));
};

/** What one message, or all messages of an album, say to us. `undefined`: nothing. */
export const readMessages = (
  messages: readonly (Message & { from?: User })[],
  me: Me,
  imagesNeeded: ImagesNeeded,
  surelyToUs = false,
): IncomingMessage | undefined => {
  const [first] = messages;
  if (first?.from === undefined || first.chat.type === 'channel') return undefined;
  // A linked channel's post that Telegram copied into its group was not said to anyone here.
  if (first.is_automatic_forward || (first.from.is_bot === true && first.sender_chat === undefined))
    return undefined;
  // Each picture of an album can have a caption: the one with a command in it is what is said.
  const said = messages.filter((message) => textOf(message) !== '');
  const spoken = said.find((message) => typedCommand(textOf(message), me)) ?? said[0] ?? first;
  const typed = typedCommand(textOf(spoken), me);
  if (typed === 'other') return undefined;
  const direct = first.chat.type === 'private';
  const toUs = surelyToUs || messages.some((message) => message.reply_to_message?.from?.id === me.id);
  if (typed === undefined) {
    if (!direct && !toUs) return undefined;
    if (first.via_bot?.id === me.id) return undefined;
  } else if (!direct && !toUs && imagesNeeded(typed.name) === undefined && !typed.addressed) return undefined;
  const wanted = typed === undefined ? undefined : (imagesNeeded(typed.name) ?? 0);
  const gathered = gather(wanted === undefined ? messages.map(alone) : messages, wanted ?? 0);
  const { photos } = gathered;
  // A command that needs no more pictures does not mind one that is too large.
  const tooLarge = gathered.tooLarge && photos.length < (wanted ?? Number.POSITIVE_INFINITY);
  // Our name stays in a command that is none of ours: said to us, it wants an answer.
  const ours = typed !== undefined && imagesNeeded(typed.name) !== undefined;
  const text = ours ? typed.line : textOf(spoken).trim();
  const empty = text === '' && photos.length === 0 && !tooLarge;
  // Among others it is small talk; whoever is alone with us wants an answer.
  const otherKind = empty && direct && messages.some(isOtherKind);
  if (empty && !otherKind) return undefined;
  const topic = first.is_topic_message ? first.message_thread_id : undefined;
  const caller = speakerOf({ ...first, from: first.from });
  return {
    caller,
    place: placeOf(first.chat, first.from.id, topic),
    text,
    photos,
    tooLarge,
    otherKind,
    message: spoken.message_id,
  };
};

const isOtherKind = ({ video, animation, video_note, document }: Message): boolean =>
  [video, animation, video_note, document].some((each) => each !== undefined);

/** Without a command, what a message answers to is the conversation, not its subject. */
const alone = (message: Message): Message => {
  const { reply_to_message: _answered, external_reply: _elsewhere, ...rest } = message;
  return rest;
};
