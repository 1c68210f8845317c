import type { Reply } from '../../../command/reply.ts';
import type { Person, Room } from '../visitors/people.ts';
import type { Chat } from './chat.ts';
import { isAnswerTo, type Message } from './message.ts';

/** Removes the buttons of questions that were answered in writing. */
export interface Questions {
  /** Without `draft` the latest question is meant. A refused answer leaves the question open. */
  answered(by: { readonly person: Person; readonly room: Room }, reply: Reply, draft?: string): Promise<void>;
}

const wasTaken = (reply: Reply): boolean =>
  reply.kind === 'ask' || reply.kind === 'card' || (reply.kind === 'message' && reply.view.tone !== 'failed');

const over = ({ ask: _ask, view, ...message }: Message): Message => {
  if (view === undefined) return message;
  const { buttons: _buttons, ...rest } = view;
  return { ...message, view: rest };
};

export const createQuestions = (chat: Chat): Questions => ({
  async answered({ person, room }, reply, draft) {
    if (!wasTaken(reply)) return;
    const asked = chat
      .all(room.id)
      .filter((message) => message.ask !== undefined && isAnswerTo(person, message));
    const meant = draft === undefined ? asked.slice(-1) : asked.filter(({ ask }) => ask?.draft === draft);
    for (const message of meant) await chat.change(message, over, 'durable');
  },
});
