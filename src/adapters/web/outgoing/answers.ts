import { randomUUID } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import type { CardRef } from '../../../command/place.ts';
import { cardsOf, isNote, type Meanwhile, type Reply } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import type { Visitor } from '../../../sign-in/visitor.ts';
import type { Drawn } from '../../adapter.ts';
import { directRoom, type Person, type Room } from '../visitors/people.ts';
import { answerId, cardAt, type Message, mediaIn, type Spot, spotOf } from './message.ts';
import type { WebParts } from './parts.ts';

/** What a reply answers, and so where it goes. */
export interface ReplyOrigin {
  /** Comes from the page. The id of the bot's message is derived from it, so that a repeated event updates the same message. */
  readonly id: string;
  readonly person: Person;
  readonly room: Room;
  /** Unknown for what was received before the last restart. */
  readonly visitor?: Visitor;
  /** A button was pressed: notes are shown to the presser. */
  readonly isPress?: true;
  /** The message with the pressed button; undefined if it has no such button. */
  readonly pressed?: Spot | undefined;
}

/** This platform can show any message to one person only. */
export const isForOneAlone = (reply: Reply): boolean =>
  isNote(reply) || ('audience' in reply && reply.audience !== 'everyone');

/** A picture can be the photo of the next job; a video cannot. */
function outcome(message: Message): Drawn {
  const id = mediaIn(message);
  const isVideo = message.view?.media?.kind === 'video';
  return {
    state: 'drawn',
    card: cardAt(message),
    ...(id === undefined || isVideo ? {} : { result: { from: 'web', ref: id } }),
  };
}

/** Answers, updates of cards, and messages that answer nothing. All are safe to repeat. */
export function createAnswers({ chat, media, content, desk, open }: WebParts) {
  const post = async (
    view: View,
    message: Pick<Message, 'id' | 'room' | 'only' | 'ask'>,
    by?: Visitor,
  ): Promise<Message> =>
    chat.put({ ...message, from: 'bot', ...(await content.of(message.id, view, by?.address)) }, by);

  return {
    async draw(card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<Drawn> {
      await open();
      const spot = spotOf(card);
      if (spot === undefined || chat.get(spot) === undefined) return { state: 'gone' };
      const shown = await content.of(spot.id, view);
      const drawn = await chat.change(spot, (before) => {
        // The result was shown while this was being made.
        if (importance === 'cosmetic' && before.view?.tone === 'done') return before;
        const { ask: _asked, previews: _previews, ...message } = before;
        return { ...message, ...shown };
      });
      if (drawn !== undefined) return outcome(drawn);
      // The message was removed while its result was being stored.
      const id = mediaIn(shown);
      if (id !== undefined) await media.drop(id);
      return { state: 'gone' };
    },
    async removeMessage(card: CardRef): Promise<void> {
      await open();
      const spot = spotOf(card);
      if (spot !== undefined) await chat.remove(spot);
    },
    /** A message that answers nothing. With the same id, it is the same message. */
    async say(room: Room | undefined, view: View, id = `bot.${randomUUID()}`): Promise<Drawn> {
      await open();
      if (room === undefined) return { state: 'gone' };
      return outcome(await post(view, { room: room.id, id }));
    },
    /**
     * Shows that the answer takes longer, where the answer will be. A question keeps its buttons: if this process dies, the press is
     * not handled again, and the question can be answered once more.
     */
    async meanwhile({ view, replaces }: Meanwhile, origin: ReplyOrigin): Promise<void> {
      const { person, room, pressed, visitor } = origin;
      const id = answerId(person, origin.id);
      if (replaces && pressed !== undefined) {
        const shown = await content.of(id, view);
        await chat.change(pressed, (message) => ({ ...message, view: { ...message.view, ...shown.view } }));
      }
      // Nobody else sees the command until it is known who sees its answer.
      else await post(view, { room: room.id, id, only: person.id }, visitor);
    },
    /** Shows a reply; returns a note that only the person who pressed gets. */
    async show(reply: Reply, origin: ReplyOrigin): Promise<string | undefined> {
      const { person, room, pressed, isPress } = origin;
      const own: Spot = { room: room.id, id: answerId(person, origin.id) };
      const put = async (view: View, message: Parameters<typeof post>[1]): Promise<undefined> =>
        void (await post(view, message, origin.visitor));
      /** The answer to a question replaces it. */
      const target = (replaces = false): Spot =>
        replaces && pressed !== undefined && chat.get(pressed) !== undefined ? pressed : own;
      const visibleTo = (isForOne: boolean): Pick<Message, 'only'> =>
        isForOne && room.id !== directRoom(person).id ? { only: person.id } : {};
      /** The question after one that its person alone sees is for them alone, too. */
      const asksAlone = (): boolean => pressed !== undefined && chat.get(pressed)?.only === person.id;
      switch (reply.kind) {
        case 'message':
        case 'result':
          return put(reply.view, {
            ...target(reply.replaces),
            ...visibleTo(isForOneAlone(reply) || (reply.view.tone === 'ask' && asksAlone())),
          });
        case 'ask': {
          const ask = { draft: reply.draft, question: reply.questions[0] };
          const whose = visibleTo(isForOneAlone(reply) || asksAlone());
          return put(reply.view, { ...target(reply.replaces), ...whose, ask });
        }
        case 'card':
        case 'further-cards': {
          const first = target(reply.replaces);
          for (const card of cardsOf(reply)) {
            const spot = card === reply ? first : { ...own, id: answerId(person, `card-${card.job}`) };
            await put(card.view, { ...spot, ...visibleTo(card.audience === 'caller') });
            // What was asked in private is answered in public: so is the message that led to it.
            if (card.audience === 'everyone' && isPress)
              await chat.change(
                { ...spot, id: spot.id.replace(/^bot\./, '') },
                ({ only: _only, ...message }) => message,
              );
            await desk.shown(card.job, cardAt(spot));
          }
          return undefined;
        }
        case 'replace': {
          const shown = pressed && chat.get(pressed);
          // A message that was removed meanwhile may have been private.
          const whose = shown === undefined ? visibleTo(true) : defined({ only: shown.only });
          return put(reply.view, { ...(pressed ?? own), ...whose });
        }
        case 'remove':
          if (pressed !== undefined) await chat.remove(pressed);
          return reply.note;
        case 'told-before':
        case 'card-shown-before':
          return isPress ? reply.text : undefined;
        case 'note':
        case 'not-yours':
        case 'stale':
        case 'chat-note':
        // Others in the chat were told before, but only they saw it.
        case 'chat-told-before':
          if (isPress) return reply.text;
          return put({ tone: 'info', lines: [reply.text] }, { ...own, ...visibleTo(true) });
      }
    },
  };
}

export type Answers = ReturnType<typeof createAnswers>;
