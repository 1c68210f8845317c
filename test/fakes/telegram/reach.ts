import { badRequest, forbidden, Refusal } from './refusal.ts';
import type { Room, StoredMessage, World } from './world.ts';

/** The room that a call is about, or the refusal that Telegram gives when the bot cannot get there. */
export const roomFor = (world: World, chat: unknown): Room => {
  const id = typeof chat === 'string' && chat.startsWith('@') ? world.named(chat.slice(1)) : Number(chat);
  const room = world.room(id);
  if (id > 0 && !world.started.has(id)) {
    if (world.people.has(id)) throw forbidden("bot can't initiate conversation with a user");
    throw badRequest('chat not found');
  }
  if (room === undefined) throw badRequest('chat not found');
  if (room.migratedTo !== undefined)
    throw new Refusal(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: room.migratedTo,
    });
  if (room.closed !== undefined) throw forbidden(room.closed);
  return room;
};

/** The fields of a message in a topic of a forum, or the refusal where there is no such topic. */
export const topicFor = (
  room: Room,
  thread: unknown,
): { message_thread_id?: number; is_topic_message?: true } => {
  if (thread === undefined) return {};
  if (!room.topics.has(Number(thread))) throw badRequest('message thread not found');
  return { message_thread_id: Number(thread), is_topic_message: true };
};

/** A message of the bot's own, for editing. */
export const ownMessage = (world: World, room: Room, id: unknown): StoredMessage => {
  const message = room.messages.get(Number(id));
  if (message === undefined) throw badRequest('message to edit not found');
  if (message.from?.id !== world.bot.id) throw badRequest("message can't be edited");
  return message;
};
