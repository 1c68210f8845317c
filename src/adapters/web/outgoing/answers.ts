import { randomUUID } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import type { CardRef } from '../../../command/place.ts';
import { cardsOf, type DrawOutcome, isNote, type Meanwhile, type Reply } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import type { Visitor } from '../../../sign-in/visitor.ts';
import type { DeletionOutcome } from '../../adapter.ts';
import { directRoom, type Person, type Room } from '../visitors/people.ts';
import type { WebDependencies } from './dependencies.ts';
import { answerId, cardAt, type Message, mediaIn, type Spot, spotOf } from './message.ts';

/** The action that a reply answers, which decides where the reply goes. */
export interface AnsweredAction {
  /**
   * The action's id, from the page. The id of the bot's message is derived from it, so that a retry updates the same
   * message.
   */
  readonly id: string;
  readonly person: Person;
  readonly room: Room;
  /** The visitor whose share of the room the answer counts to; unknown for an action from before the last restart. */
  readonly visitor?: Visitor;
  /** Set for a press of a button, whose notes are returned to the presser instead of shown as messages. */
  readonly isPress?: true;
  /** The message with the pressed button; undefined if that message has no such button. */
  readonly pressed?: Spot | undefined;
}

/** Whether the reply is for its caller alone, which the playground can do with any message. */
export const isForOneAlone = (reply: Reply): boolean =>
  isNote(reply) || ('audience' in reply && reply.audience !== 'everyone');

/** The outcome of drawing a message. Only a picture is a result that can be the photo of the next job. */
function outcome(message: Message): DrawOutcome {
  const id = mediaIn(message);
  const isVideo = message.view?.media?.kind === 'video';
  return {
    state: 'drawn',
    card: cardAt(message),
    ...(id === undefined || isVideo ? {} : { result: { from: 'web', ref: id } }),
  };
}

/** Shows answers, updates of cards, and messages that answer nothing. All functions are idempotent. */
export function createAnswers({ chat, media, content, desk, open }: WebDependencies) {
  const post = async (
    view: View,
    message: Pick<Message, 'id' | 'room' | 'only' | 'ask'>,
    by?: Visitor,
  ): Promise<Message> =>
    chat.put({ ...message, from: 'bot', ...(await content.of(message.id, view, by?.address)) }, by);

  return {
    async draw(card: CardRef, view: View, importance: 'cosmetic' | 'final'): Promise<DrawOutcome> {
      await open();
      const spot = spotOf(card);
      if (spot === undefined || chat.get(spot) === undefined) return { state: 'gone' };
      const shown = await content.of(spot.id, view);
      const drawn = await chat.change(spot, (before) => {
        // A cosmetic change is dropped if the result was shown meanwhile.
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
    async removeMessage(card: CardRef): Promise<DeletionOutcome> {
      await open();
      const spot = spotOf(card);
      if (spot !== undefined) await chat.remove(spot);
      return 'gone';
    },
    /** Shows a message that answers nothing; with the id of an earlier one, replaces that. */
    async say(room: Room | undefined, view: View, id = `bot.${randomUUID()}`): Promise<DrawOutcome> {
      await open();
      if (room === undefined) return { state: 'gone' };
      return outcome(await post(view, { room: room.id, id }));
    },
    /**
     * Shows that the answer takes longer, in the place of the answer. A question keeps its buttons: if this process dies,
     * the press is not handled again, and the question can be answered once more.
     */
    async meanwhile({ view, replaces }: Meanwhile, origin: AnsweredAction): Promise<void> {
      const { person, room, pressed, visitor } = origin;
      const id = answerId(person, origin.id);
      if (replaces && pressed !== undefined) {
        const shown = await content.of(id, view);
        await chat.change(pressed, (message) => ({ ...message, view: { ...message.view, ...shown.view } }));
      }
      // Only the person sees this message, like their command, until it is known who sees the answer.
      else await post(view, { room: room.id, id, only: person.id }, visitor);
    },
    /** Shows a reply; returns the note for the presser, if there is one. */
    async show(reply: Reply, origin: AnsweredAction): Promise<string | undefined> {
      const { person, room, pressed, isPress } = origin;
      const own: Spot = { room: room.id, id: answerId(person, origin.id) };
      const put = async (view: View, message: Parameters<typeof post>[1]): Promise<undefined> =>
        void (await post(view, message, origin.visitor));
      /**
       * Where the reply is shown: in place of the pressed message if it replaces that, else as the message of this action.
       */
      const target = (replaces = false): Spot =>
        replaces && pressed !== undefined && chat.get(pressed) !== undefined ? pressed : own;
      const visibleTo = (isForOne: boolean): Pick<Message, 'only'> =>
        isForOne && room.id !== directRoom(person).id ? { only: person.id } : {};
      /** Whether the pressed message is for the person alone: then a question that follows is, too. */
      const asksAlone = (): boolean => pressed !== undefined && chat.get(pressed)?.only === person.id;
      switch (reply.kind) {
        case 'message':
        case 'result': {
          const spot = target(reply.replaces);
          const whose = visibleTo(isForOneAlone(reply) || (reply.view.tone === 'ask' && asksAlone()));
          if (reply.kind === 'message') return put(reply.view, { ...spot, ...whose });
          // Where the message will be is known before it is visible, so no kill can come between. Told again, the desk deletes a result
          // that was removed meanwhile.
          await desk.resultShown(reply, cardAt(spot));
          await put(reply.view, { ...spot, ...whose });
          return void (await desk.resultShown(reply, cardAt(spot)));
        }
        case 'ask': {
          // The page has no form for it, and others may see this message.
          const { choices: _, ...question } = reply.questions[0];
          const ask = { draft: reply.draft, question };
          const whose = visibleTo(isForOneAlone(reply) || asksAlone());
          return put(reply.view, { ...target(reply.replaces), ...whose, ask });
        }
        case 'card':
        case 'further-cards': {
          const first = target(reply.replaces);
          for (const card of cardsOf(reply)) {
            const spot = card === reply ? first : { ...own, id: answerId(person, `card-${card.job}`) };
            await put(card.view, { ...spot, ...visibleTo(card.audience === 'caller') });
            // A public card that answers a private question makes the message that led to it public, too.
            if (card.audience === 'everyone' && isPress)
              await chat.change(
                { ...spot, id: spot.id.replace(/^bot\./, '') },
                ({ only: _only, ...message }) => message,
              );
            await desk.cardShown(card.job, cardAt(spot));
          }
          return undefined;
        }
        case 'replace': {
          const shown = pressed && chat.get(pressed);
          // The pressed message was removed meanwhile and may have been private, so the reply is private.
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
        // The note was shown before, but only to other people in the chat.
        case 'chat-told-before':
          if (isPress) return reply.text;
          return put({ tone: 'info', lines: [reply.text] }, { ...own, ...visibleTo(true) });
      }
    },
  };
}

export type Answers = ReturnType<typeof createAnswers>;
