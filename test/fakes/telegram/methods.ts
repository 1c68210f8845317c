import { type Content, captionContent, checkKeyboard, mediaContent, textContent } from './content.ts';
import {
  checkEphemeralEdit,
  ephemeralFor,
  parametersIn,
  removeEphemeral,
  sendEphemeral,
} from './ephemeral.ts';
import type { Payload } from './payload.ts';
import { ownMessage, roomFor, topicFor } from './reach.ts';
import { badRequest } from './refusal.ts';
import type { Room, StoredMessage, World } from './world.ts';

type Method = (payload: Payload) => unknown;

const hours48 = 48 * 3600;
const contentFields = [
  'text',
  'entities',
  'caption',
  'caption_entities',
  'photo',
  'video',
  'document',
  'has_media_spoiler',
];

/** The file that a media field points to: uploaded beside it, or known already. */
const fileFor = (world: World, payload: Payload, value: unknown, field: string) => {
  const attached = typeof value === 'string' && value.startsWith('attach://') ? value.slice(9) : field;
  const uploaded = payload.files.get(attached);
  if (uploaded) return uploaded;
  const known = typeof value === 'string' ? world.files.get(value) : undefined;
  return known === undefined ? undefined : { bytes: known.bytes, name: known.path };
};

/** Two contents are the same when a reader could not tell them apart. */
const fingerprint = (message: StoredMessage | Content): string =>
  JSON.stringify([...contentFields, 'reply_markup'].map((name) => message[name] ?? null));

/** The methods of the Bot API, by name, as they act on this world. */
export const createMethods = (world: World): Readonly<Record<string, Method>> => {
  const send = (payload: Payload, content: Content): StoredMessage => {
    const { values } = payload;
    const room = roomFor(world, values.chat_id);
    const reply = values.reply_parameters as
      | { message_id?: number; ephemeral_message_id?: number; allow_sending_without_reply?: boolean }
      | undefined;
    const answered =
      room.messages.get(reply?.message_id ?? 0) ??
      room.ephemerals.get(`${world.bot.id}:${reply?.ephemeral_message_id}`)?.message;
    if (reply !== undefined && answered === undefined && !reply.allow_sending_without_reply)
      throw badRequest('message to be replied not found');
    const isEphemeral = parametersIn(payload) !== undefined;
    // An answer to an ephemeral message must be ephemeral.
    if (reply?.ephemeral_message_id !== undefined && !isEphemeral) throw badRequest('REPLY_TO_INVALID');
    const keyboard = checkKeyboard(values.reply_markup);
    const forced = values.reply_markup as { force_reply?: boolean } | undefined;
    const message = {
      ...topicFor(room, values.message_thread_id),
      from: world.bot,
      ...content,
      ...(keyboard === undefined ? {} : { reply_markup: keyboard }),
      ...(answered === undefined ? {} : { reply_to_message: answered }),
      ...(forced?.force_reply ? { forced_reply: forced } : {}),
    };
    return isEphemeral && world.knowsEphemerals
      ? sendEphemeral(world, room, payload, message)
      : world.write(room, message);
  };

  const sendMedia =
    (type: 'photo' | 'video' | 'document'): Method =>
    (payload) => {
      const { values } = payload;
      const file = fileFor(world, payload, values[type], type);
      const media = mediaContent(world, type, file, values.has_spoiler === true);
      return send(payload, { ...media, ...captionContent(values) });
    };

  const edit = (
    payload: Payload,
    content: (message: StoredMessage, room: Room) => Content,
  ): StoredMessage => {
    const { values } = payload;
    const room = roomFor(world, values.chat_id);
    const isEphemeral = 'ephemeral_message_id' in values;
    const message = isEphemeral
      ? ephemeralFor(world, room, payload)
      : ownMessage(world, room, values.message_id);
    const keyboard = checkKeyboard(values.reply_markup);
    const changed = { ...content(message, room), ...(keyboard ? { reply_markup: keyboard } : {}) };
    if (isEphemeral) checkEphemeralEdit(message, changed);
    if (fingerprint(changed) === fingerprint(message))
      throw badRequest(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      );
    for (const name of [...contentFields, 'reply_markup']) delete message[name];
    Object.assign(message, changed, { edit_date: Math.floor(world.clock.now() / 1000) });
    return message;
  };

  const isMedia = (message: StoredMessage): boolean =>
    ['photo', 'video', 'document'].some((name) => name in message);

  const editText: Method = (payload) =>
    edit(payload, (message) => {
      if (isMedia(message)) throw badRequest('there is no text in the message to edit');
      return textContent(payload.values);
    });
  const editCaption: Method = (payload) =>
    edit(payload, (message) => {
      if (!isMedia(message)) throw badRequest('there is no caption in the message to edit');
      const { photo, video, document, has_media_spoiler } = message;
      const media = { photo, video, document, has_media_spoiler };
      return {
        ...Object.fromEntries(Object.entries(media).filter(([, value]) => value !== undefined)),
        ...captionContent(payload.values),
      };
    });
  const editMedia: Method = (payload) =>
    edit(payload, () => {
      const media = payload.values.media as Record<string, unknown> | undefined;
      if (media === undefined) throw badRequest("can't parse InputMedia: there is none");
      const file = fileFor(world, payload, media.media, 'media');
      return {
        ...mediaContent(world, String(media.type), file, media.has_spoiler === true),
        ...captionContent(media),
      };
    });
  /** Edits of ephemeral messages do not return them. */
  const quietly =
    (method: Method): Method =>
    (payload) =>
      method(payload) !== undefined;

  return {
    sendMessage: (payload) => send(payload, textContent(payload.values)),
    sendPhoto: sendMedia('photo'),
    sendVideo: sendMedia('video'),
    sendDocument: sendMedia('document'),
    editMessageText: editText,
    editMessageCaption: editCaption,
    editMessageMedia: editMedia,
    editEphemeralMessageText: quietly(editText),
    editEphemeralMessageCaption: quietly(editCaption),
    editEphemeralMessageMedia: quietly(editMedia),
    deleteEphemeralMessage: (payload) =>
      removeEphemeral(world, roomFor(world, payload.values.chat_id), payload),
    deleteMessage: ({ values }) => {
      const room = roomFor(world, values.chat_id);
      const message = room.messages.get(Number(values.message_id));
      if (message === undefined) throw badRequest('message to delete not found');
      const age = world.clock.now() / 1000 - message.date;
      if (age > hours48) throw badRequest("message can't be deleted for everyone");
      room.messages.delete(message.message_id);
      return true;
    },
    sendChatAction: ({ values }) => {
      topicFor(roomFor(world, values.chat_id), values.message_thread_id);
      return true;
    },
    getFile: ({ values }) => {
      const file = world.files.get(String(values.file_id));
      if (world.lost.has(String(values.file_id))) throw badRequest('invalid file_id');
      if (file === undefined) throw badRequest('wrong file_id or the file is temporarily unavailable');
      if (file.bytes.length > 20 * 1024 * 1024) throw badRequest('file is too big');
      return {
        file_id: values.file_id,
        file_unique_id: file.unique,
        file_size: file.bytes.length,
        file_path: file.path,
      };
    },
    getMe: () => world.bot,
    getChatMember: ({ values }) => {
      const room = roomFor(world, values.chat_id);
      const user = world.people.get(Number(values.user_id));
      if (user === undefined) throw badRequest('user not found');
      const { status, is_anonymous, restricted } = room.members.get(user.id) ?? {
        status: 'left',
        is_anonymous: false,
      };
      return {
        user,
        status,
        ...restricted,
        ...(status === 'administrator' || status === 'creator' ? { is_anonymous } : {}),
      };
    },
    getChat: ({ values }) => roomFor(world, values.chat_id).chat,
    // The bot is a member, too.
    getChatMemberCount: ({ values }) => roomFor(world, values.chat_id).members.size + 1,
    getChatAdministrators: ({ values }) => {
      const room = roomFor(world, values.chat_id);
      if (room.chat.type === 'private') throw badRequest('there are no administrators in the private chat');
      return [...room.members]
        .filter(([, { status }]) => status === 'administrator' || status === 'creator')
        .map(([id, member]) => ({ user: world.people.get(id), ...member }));
    },
  };
};
