import type { Chat, InlineKeyboardButton, Update, User } from 'grammy/types';
import { sizeOf } from '../picture-size.ts';
import { documentOf, photoSizes } from './content.ts';
import type { Delivery } from './delivery.ts';
import { withEffects } from './effects.ts';
import type { Room, StoredMessage, World } from './world.ts';

/** Everything that a message of a person can have besides its text. */
export interface MessageParts {
  readonly photo?: Uint8Array;
  /** An uncompressed picture or any other file. */
  readonly document?: { readonly bytes: Uint8Array; readonly name: string; readonly mime?: string };
  readonly replyTo?: StoredMessage;
  readonly thread?: number;
  readonly spoiler?: boolean;
  /** Whether the message is sent as the group itself, by an administrator who hides. */
  readonly anonymous?: boolean;
  /** The id of the channel as which the message is sent. */
  readonly channel?: number;
  /** A post of the linked channel of this id, which Telegram itself copies into its discussion group. */
  readonly linkedPost?: number;
  readonly album?: string;
  /** Telegram's note of a file's size, when it is to differ from the truth. */
  readonly size?: number;
}

const anonymousUser: User = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: 'Group',
  username: 'GroupAnonymousBot',
};
/** Telegram's own account, which brings a channel's posts into its discussion group. */
const serviceUser: User = { id: 777_000, is_bot: false, first_name: 'Telegram' };
const channelUser: User = { id: 136_817_688, is_bot: true, first_name: 'Channel', username: 'Channel_Bot' };

/** The Bot API shows the message that is answered to without what that one answered to. */
const flat = (message: StoredMessage): StoredMessage => {
  const { reply_to_message: _deeper, forced_reply: _ours, ...rest } = message;
  return rest as StoredMessage;
};

/** Somebody with a Telegram client. */
export const createTelegramPerson = (options: {
  readonly world: World;
  readonly delivery: Delivery;
  readonly user: User;
  /** Whether the client sends this command so that nobody else in the group sees it. */
  readonly isEphemeral: (room: Room, command: string) => boolean;
  readonly hears: (room: Room, message: StoredMessage) => boolean;
}) => {
  const { world, delivery, user } = options;
  const chat: Chat = { id: user.id, type: 'private', first_name: user.first_name };
  world.people.set(user.id, user);
  world.open(chat);
  let presses = 0;

  const roomOf = (where: Chat): Room => {
    const room = world.room(where.id);
    if (room === undefined) throw new Error(`no chat ${where.id}`);
    const now = room.migratedTo === undefined ? room : world.room(room.migratedTo);
    if (now === undefined) throw new Error(`no chat ${room.migratedTo}`);
    if (where.type === 'private') world.started.add(user.id);
    else if (!now.members.has(user.id)) now.members.set(user.id, { status: 'member', is_anonymous: false });
    return now;
  };

  const picture = (more: MessageParts): Record<string, unknown> => {
    if (more.photo) {
      const size = sizeOf(more.photo) ?? { width: 100, height: 100 };
      return { photo: photoSizes(world, more.photo, size.width, size.height) };
    }
    if (!more.document) return {};
    const { bytes, name, mime } = more.document;
    const document = documentOf(world, bytes, name, mime);
    return { document: more.size === undefined ? document : { ...document, file_size: more.size } };
  };

  const speaker = (room: Room, more: MessageParts): Record<string, unknown> => {
    if (more.anonymous) return { from: anonymousUser, sender_chat: room.chat };
    if (more.linkedPost !== undefined) {
      const channel = { id: more.linkedPost, type: 'channel', title: 'A channel' };
      return {
        from: serviceUser,
        sender_chat: channel,
        is_automatic_forward: true,
        forward_origin: { type: 'channel', chat: channel, message_id: 7, date: 1_700_000_000 },
      };
    }
    if (more.channel !== undefined)
      return { from: channelUser, sender_chat: { id: more.channel, type: 'channel', title: 'A channel' } };
    return { from: user };
  };

  /** Sends a message; text is the caption when there is a picture. */
  const types = (where: Chat, text: string, more: MessageParts = {}): StoredMessage => {
    const room = roomOf(where);
    const media = picture(more);
    const isMedia = Object.keys(media).length > 0;
    const entities = withEffects(text, []);
    const words = isMedia ? { caption: text, caption_entities: entities } : { text, entities };
    const said = {
      ...speaker(room, more),
      ...media,
      ...(text === '' ? {} : words),
      ...(more.replyTo === undefined ? {} : { reply_to_message: flat(more.replyTo) }),
      ...(more.thread === undefined ? {} : { message_thread_id: more.thread, is_topic_message: true }),
      ...(more.spoiler ? { has_media_spoiler: true } : {}),
      ...(more.album === undefined ? {} : { media_group_id: more.album }),
    };
    const command = /^\/(\w+)/.exec(text)?.[1];
    const isAlone =
      more.replyTo?.ephemeral_message_id !== undefined ||
      (command !== undefined && room.chat.type !== 'private' && options.isEphemeral(room, command));
    const message = isAlone ? world.whisper(room, world.bot, said, user.id) : world.write(room, said);
    if (isAlone) delivery.push({ message } as unknown as Update);
    else if (options.hears(room, message)) delivery.push({ message } as unknown as Update);
    return message;
  };

  const press = (message: StoredMessage | undefined, data: string): string => {
    presses += 1;
    const id = `${user.id}-${presses}`;
    world.presses.set(id, { by: user.id, at: world.clock.now() });
    const query = { id, from: user, chat_instance: '1', data, ...(message === undefined ? {} : { message }) };
    delivery.push({ callback_query: query } as unknown as Update);
    return id;
  };

  return {
    user,
    /** The private chat with the bot. */
    chat,
    types,
    /** Several photos as one album, the caption on the first. */
    sendsAlbum(where: Chat, photos: readonly Uint8Array[], caption = ''): StoredMessage[] {
      const album = `album-${world.files.size}`;
      return photos.map((photo, index) => types(where, index === 0 ? caption : '', { photo, album }));
    },
    replies(to: StoredMessage, text: string, more: MessageParts = {}): StoredMessage {
      const thread = to.is_topic_message === true ? to.message_thread_id : undefined;
      return types(to.chat, text, { ...more, replyTo: to, ...(thread === undefined ? {} : { thread }) });
    },
    edits(message: StoredMessage, text: string): void {
      if (message.caption === undefined) message.text = text;
      else message.caption = text;
      delivery.push({ edited_message: message } as unknown as Update);
    },
    /** Presses a button; gives the id of the press. */
    presses(message: StoredMessage, label: string): string {
      const buttons: InlineKeyboardButton[] = message.reply_markup?.inline_keyboard.flat() ?? [];
      const found = buttons.find((button) => button.text === label);
      if (found === undefined || !('callback_data' in found)) throw new Error(`no button "${label}"`);
      return press(message, found.callback_data);
    },
    /** Sends a press with data of their own making. */
    forges: press,
    takesDown(message: StoredMessage): void {
      const room = world.room(message.chat.id);
      if (message.ephemeral_message_id === undefined) room?.messages.delete(message.message_id);
      else room?.ephemerals.delete(`${user.id}:${message.ephemeral_message_id}`);
      world.changed();
    },
  };
};

/** A person with a Telegram client, and what they can do. */
export type TelegramPerson = ReturnType<typeof createTelegramPerson>;
