import { defined } from '../../../base/defined.ts';
import type { Desk } from '../../../command/desk.ts';
import type { Reply } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import { directRoom, type Person, type Room } from '../visitors/people.ts';
import type { Visitor } from '../visitors/visitor.ts';
import type { Chat } from './chat.ts';
import type { Content } from './content.ts';
import { cardAt, type Message, type Spot } from './message.ts';

/** What a reply answers, and so where it goes. */
export interface Origin {
  readonly person: Person;
  readonly room: Room;
  /** The id of the bot's message, derived from the event: a repeated event updates the same message. */
  readonly answer: string;
  readonly visitor?: Visitor | undefined;
  /** A button was pressed: notes are shown to the presser. */
  readonly isPress?: true;
  /** The message with the pressed button; undefined if it has no such button. */
  readonly pressed?: Spot | undefined;
}

/** This platform can show any message to one person only. */
export function isForOneAlone(reply: Reply): boolean {
  return (
    reply.kind === 'note' ||
    ('private' in reply && (reply.private ?? false) !== false) ||
    ('quiet' in reply && reply.quiet === true)
  );
}

export function createAnswers(parts: {
  readonly chat: Chat;
  readonly content: Content;
  readonly desk: Desk;
}) {
  const { chat, content, desk } = parts;

  const post = async (
    view: View,
    message: Pick<Message, 'id' | 'room' | 'only' | 'ask'>,
    by?: Visitor,
  ): Promise<Message> =>
    chat.put({ ...message, from: 'bot', ...(await content.of(message.id, view, by?.address)) }, by);

  /** The answer to a question replaces it. */
  const target = (reply: { readonly replaces?: boolean }, { pressed, room, answer }: Origin): Spot =>
    reply.replaces && pressed !== undefined && chat.get(pressed) !== undefined
      ? pressed
      : { room: room.id, id: answer };

  const audience = (isPrivate: boolean, { person, room }: Origin): Pick<Message, 'only'> =>
    isPrivate && room.id !== directRoom(person).id ? { only: person.id } : {};

  return {
    post,
    /** Shows a reply; returns a note that only the person who pressed gets. */
    async show(reply: Reply, origin: Origin): Promise<string | undefined> {
      const put = (view: View, message: Parameters<typeof post>[1]) => post(view, message, origin.visitor);
      switch (reply.kind) {
        case 'message':
        case 'ask': {
          const ask =
            reply.kind === 'ask' ? { ask: { draft: reply.draft, question: reply.questions[0] } } : {};
          await put(reply.view, {
            ...target(reply, origin),
            ...audience(isForOneAlone(reply), origin),
            ...ask,
          });
          return undefined;
        }
        case 'card': {
          const spot = target(reply, origin);
          await put(reply.view, { ...spot, ...audience(reply.private, origin) });
          // What was asked in private is answered in public: so is the message that led to it.
          if (!reply.private && origin.isPress)
            await chat.change(
              { ...spot, id: spot.id.replace(/^bot\./, '') },
              ({ only: _only, ...message }) => message,
            );
          await desk.shown(reply.job, cardAt(spot));
          return undefined;
        }
        case 'replace': {
          const { pressed } = origin;
          const shown = pressed && chat.get(pressed);
          // A message that was removed meanwhile may have been private.
          const whose = shown === undefined ? audience(true, origin) : defined({ only: shown.only });
          await put(reply.view, { room: origin.room.id, id: pressed?.id ?? origin.answer, ...whose });
          return undefined;
        }
        case 'remove':
          if (origin.pressed !== undefined) await chat.remove(origin.pressed);
          return reply.note;
        case 'note':
          if (origin.isPress) return reply.text;
          // The answer is already shown to this person; what others in the chat were told, they alone have seen.
          if (reply.known === true) return undefined;
          await put(
            { tone: 'info', lines: [reply.text] },
            { room: origin.room.id, id: origin.answer, ...audience(true, origin) },
          );
          return undefined;
      }
    },
  };
}

export type Answers = ReturnType<typeof createAnswers>;
