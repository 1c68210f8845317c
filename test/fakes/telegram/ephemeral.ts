import type { Content } from './content.ts';
import type { Payload } from './payload.ts';
import { badRequest } from './refusal.ts';
import type { Room, StoredMessage, World } from './world.ts';

/** A bot that is no administrator may answer for so long after a command or a press. */
const windowMs = 15_000;
/** The official limit is 4096; the servers refuse more than a caption has. */
const longest = 1024;

interface Parameters {
  readonly receiver_user_id: number;
  readonly callback_query_id?: string;
  readonly replace_callback_query_message?: boolean;
}

/** The parameters with which a call is about a message for one person; undefined: it is about one for everybody. */
export const parametersIn = ({ values }: Payload): Parameters | undefined =>
  values.ephemeral_message_parameters as Parameters | undefined;

const checkLength = (content: Content): void => {
  if (String(content.text ?? content.caption ?? '').length > longest)
    throw badRequest('MEDIA_CAPTION_TOO_LONG');
};

/** Refuses a message unless the bot is an administrator, or answers in time something that this person did. */
const checkRight = (world: World, room: Room, given: Parameters, repliedTo: number | undefined): void => {
  if (room.chat.type === 'private') throw badRequest('BOT_NOT_ADMIN');
  const member = room.members.get(given.receiver_user_id);
  if (member === undefined || ['left', 'kicked'].includes(member.status))
    throw badRequest('USER_NOT_PARTICIPANT');
  if (room.botIsAdministrator) return;
  const trigger =
    given.callback_query_id === undefined
      ? room.ephemerals.get(`${world.bot.id}:${repliedTo}`)
      : world.presses.get(given.callback_query_id);
  const isInTime = trigger !== undefined && world.clock.now() - trigger.at <= windowMs;
  if (!isInTime || trigger.by !== given.receiver_user_id) throw badRequest('BOT_NOT_ADMIN');
};

/** Sends a message of the bot that one person sees, in a group. */
export const sendEphemeral = (
  world: World,
  room: Room,
  payload: Payload,
  message: Omit<StoredMessage, 'message_id' | 'date' | 'chat'>,
): StoredMessage => {
  const given = parametersIn(payload);
  if (given === undefined) throw new Error('no ephemeral message');
  const reply = payload.values.reply_parameters as { ephemeral_message_id?: number } | undefined;
  checkRight(world, room, given, reply?.ephemeral_message_id);
  checkLength(message);
  const receiver = world.people.get(given.receiver_user_id);
  if (receiver === undefined) throw badRequest('USER_ID_INVALID');
  return world.whisper(room, receiver, message, world.bot.id);
};

/** The message that an edit or deletion is about, named by its chat, its receiver and its own id. */
export const ephemeralFor = (world: World, room: Room, { values }: Payload): StoredMessage => {
  const found = room.ephemerals.get(`${values.receiver_user_id}:${values.ephemeral_message_id}`);
  // Telegram does not publish its words for this.
  if (found === undefined || found.message.from?.id !== world.bot.id)
    throw badRequest('ephemeral message not found');
  return found.message;
};

/** Refuses an edit that makes a picture of a text or a text of a picture, because nothing promises that Telegram takes one. */
export const checkEphemeralEdit = (before: StoredMessage, after: Content): void => {
  checkLength(after);
  const isMedia = (content: object): boolean => 'photo' in content || 'video' in content;
  if (isMedia(before) !== isMedia(after)) throw badRequest('MEDIA_PREV_INVALID');
};

/** Deletes a message that one person sees. */
export const removeEphemeral = (world: World, room: Room, payload: Payload): true => {
  const message = ephemeralFor(world, room, payload);
  room.ephemerals.delete(`${payload.values.receiver_user_id}:${message.ephemeral_message_id}`);
  return true;
};
