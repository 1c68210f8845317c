import { isNextStep, type Reply } from '../../../command/reply.ts';
import type { Person, Room } from '../visitors/people.ts';
import type { Chat } from './chat.ts';
import { isAnswerTo, type Message } from './message.ts';

function over({ ask: _ask, view, previews: _previews, ...message }: Message): Message {
  if (view === undefined) return message;
  const { buttons: _buttons, tiles: _tiles, ...rest } = view;
  return { ...message, view: rest };
}

/**
 * Removes the buttons and tiles of a question that was answered in writing. Without `draft` the latest question is meant. A refused
 * answer leaves the question open.
 */
export async function closeAnswered(
  chat: Chat,
  { person, room }: { readonly person: Person; readonly room: Room },
  reply: Reply,
  draft?: string,
): Promise<void> {
  if (!isNextStep(reply)) return;
  const asked = chat
    .all(room.id)
    .filter((message) => message.ask !== undefined && isAnswerTo(person, message));
  const meant = draft === undefined ? asked.slice(-1) : asked.filter(({ ask }) => ask?.draft === draft);
  for (const message of meant) await chat.change(message, over);
}
