import {
  cardsOf,
  hasCards,
  type JobCard,
  type Note,
  type Reply,
  type ReplyOf,
} from '../../../command/reply.ts';
import { shorten } from '../../../command/shorten.ts';
import type { View } from '../../../command/view.ts';
import { type Words, wordsFor } from '../../../words/words.ts';
import { isFault } from '../api/fault.ts';
import type { TelegramDependencies } from '../api/options.ts';
import {
  type Card,
  cardRef,
  destinationOf,
  isEphemeral,
  isGroup,
  isSameMessage,
  type MessageCard,
  personOf,
} from '../api/refs.ts';
import { type Chat, isLost } from './chat.ts';
import { blankPicture, uploadOf } from './media.ts';
import type { Questions } from './questions.ts';
import { EPHEMERAL_LIMIT, fitsUncut } from './render.ts';
import {
  type NewMessageReply,
  type ReplyOrigin,
  type Way,
  type Ways,
  waitingOf,
  whereAsked,
} from './ways.ts';

/** A job waits at most this long for the removal of its question. */
const REMOVED_WITHIN_MS = 2_000;

/** Whether the message can be edited into this view: seen by the same people, and of the same sort. */
function canBecome(message: Card, view: View, way: Way): boolean {
  if (isEphemeral(message) !== (way.alone !== undefined)) return false;
  if (!isEphemeral(message) && way.to === 'private' && isGroup(message.chat)) return false;
  // Telegram cannot remove the picture from a message, so a sheet can only become another picture.
  if (message.media) return view.tiles !== undefined || view.media !== undefined;
  // Telegram does not document that an ephemeral text can become a picture.
  return !isEphemeral(message) || (uploadOf(view) === undefined && fitsUncut(view, EPHEMERAL_LIMIT));
}

/** Telegram cannot remove the picture from a message: where the view has none, a blank one takes its place. */
const withoutOldPicture = ({ media }: Card, view: View): View =>
  media && uploadOf(view) === undefined && view.tiles === undefined ? { ...view, media: blankPicture } : view;

/**
 * Shows the desk's replies: as a new message, or in place of a question or of an announcement that the answer takes longer.
 */
export function createAnswers(
  options: Pick<TelegramDependencies, 'desk'> & {
    readonly chat: Chat;
    readonly questions: Questions;
    readonly ways: Ways;
  },
) {
  const { chat, desk, questions } = options;
  const { wayOf, send } = options.ways;
  /** Cards that were shown; a retry only reports them to the desk. */
  const visible = new WeakMap<JobCard, MessageCard>();
  /** Cards that may have arrived: Telegram offers neither a way to check nor an idempotency key. */
  const maybeSent = new WeakSet<JobCard>();

  const telegramWords = ({ caller }: ReplyOrigin) => wordsFor(caller.locale).telegram;

  /**
   * Sends a message that opens a reply in the person's client (`force_reply`), because in a group a bot receives only
   * replies to its messages.
   */
  const sendPrompt = async (origin: ReplyOrigin, view: View): Promise<Card> => {
    const { caller, place, pressed } = origin;
    // A selective `force_reply` reaches the author of the message replied to, or else people who are mentioned in the text.
    const named = pressed && personOf(caller);
    const to = named === undefined ? whereAsked(origin) : destinationOf(place);
    const sent = await chat.send(to, view, waitingOf(origin, Number.POSITIVE_INFINITY), {
      markup: { force_reply: true, selective: true },
      mention: named === undefined ? undefined : { id: named, name: shorten(caller.name, 60) },
    });
    return sent.card;
  };

  /** Removes a message, in the background if that takes long. `note` is shown in its place if it cannot be removed. */
  const removeSoon = async (card: Card, note: string): Promise<void> => {
    await chat.remove(card, note, REMOVED_WITHIN_MS).catch((error: unknown) => {
      if (isFault(error, 'rate-limited')) void chat.remove(card, note).catch(() => undefined);
    });
  };

  /** Closes a question that was answered by a button, and removes the reply prompt beside it. */
  const closeQuestion = async (
    question: Card,
    answer: NewMessageReply,
    origin: ReplyOrigin,
  ): Promise<void> => {
    const open = await questions.find(origin.caller, (each) => isSameMessage(each.question, question));
    if (open === undefined) return;
    if (answer.kind !== 'ask') await questions.close(origin.caller, open.draft);
    // The removal is not awaited, because its failure does not matter.
    if (open.beside !== undefined) void removeSoon(open.beside, telegramWords(origin).removed);
  };

  /**
   * Finds the question that was answered in writing; returns the function that removes it, because its buttons are no longer
   * valid.
   */
  const findAnswered = async (answer: NewMessageReply, origin: ReplyOrigin): Promise<() => Promise<void>> => {
    const { answers: draft } = answer;
    const open =
      draft === undefined ? undefined : await questions.find(origin.caller, (each) => each.draft === draft);
    return async () => {
      if (open === undefined) return;
      for (const card of [open.question, open.beside])
        if (card !== undefined) await removeSoon(card, telegramWords(origin).removed);
      if (answer.kind !== 'ask') await questions.close(origin.caller, open.draft);
    };
  };

  /**
   * Shows an answer; an answer to a button of a question takes the question's place. `newView` is the view for a new
   * message, if that differs from the view for an edited one.
   */
  const showOn = async (
    way: Way,
    answer: NewMessageReply,
    origin: ReplyOrigin,
    newView = answer.view,
  ): Promise<Card | undefined> => {
    const { inPlaceOf: question } = way;
    if (question === undefined) return await send(newView, origin, way);
    await closeQuestion(question, answer, origin);
    if (canBecome(question, answer.view, way))
      try {
        return (await chat.replace(question, answer.view, way.waiting)).card;
      } catch (error) {
        if (!isLost(question, error)) throw error;
        return await send(newView, origin, way);
      }
    const card = await send(newView, origin, way);
    if (card !== undefined && isSameMessage(card, question)) return card;
    // A question that stays is harmless: a press of its buttons is answered as stale.
    const isOver = origin.working !== undefined || (card !== undefined && answer.replaces);
    const { removed, answeredInPrivate } = telegramWords(origin);
    if (isOver) await removeSoon(question, way.to === 'private' ? answeredInPrivate : removed);
    return card;
  };

  const showAnswer = async (
    answer: NewMessageReply,
    origin: ReplyOrigin,
    newView?: View,
  ): Promise<Card | undefined> => showOn(await wayOf(answer, origin), answer, origin, newView);

  /** Words a question for a group, where the bot sees only replies instead of the next message. */
  const forGroup = (view: View, { ask, telegram }: Words): View => ({
    ...view,
    lines: view.lines.map((line) => (line === ask.pickOrType ? telegram.pickOrReply : line)),
  });

  const ask = async (reply: ReplyOf<'ask'>, origin: ReplyOrigin): Promise<void> => {
    const { caller, place } = origin;
    const [first] = reply.questions;
    const isWritten = first.kind !== 'choice' && (first.kind !== 'reference' || first.choices === undefined);
    const way = await wayOf(reply, origin);
    const isOpen = way.to === 'chat' && !place.direct;
    const isAlone = way.alone !== undefined;
    const asked = isOpen || isAlone ? forGroup(reply.view, wordsFor(caller.locale)) : reply.view;
    const hint = telegramWords(origin).answerHere;
    // The hint replaces a reply prompt, because Telegram does not document one for ephemeral messages.
    const view = isAlone && isWritten ? { ...asked, lines: [...asked.lines, hint] } : asked;
    const removeAnswered = await findAnswered(reply, origin);
    if (isOpen && isWritten && !view.buttons?.length) {
      await sendPrompt(origin, view);
      return await removeAnswered();
    }
    const question = await showOn(way, { ...reply, view }, origin);
    if (question === undefined) return;
    if (!isGroup(question.chat) && !place.direct) await questions.asked(caller, place);
    // The prompt is a message of its own, because a message with `force_reply` cannot have buttons.
    const beside =
      isOpen && isWritten ? { beside: await sendPrompt(origin, { tone: 'ask', lines: [hint] }) } : {};
    if (view.buttons?.length || view.tiles?.length)
      await questions.open(caller, { draft: reply.draft, question, ...beside });
    await removeAnswered();
  };

  const showCard = async (card: JobCard, origin: ReplyOrigin): Promise<void> => {
    const answer: NewMessageReply = { kind: 'card', ...card };
    const { view } = card;
    const note = telegramWords(origin).sentAgain;
    const newView = card.again || maybeSent.has(card) ? { ...view, lines: [...view.lines, note] } : view;
    let shown: Card | undefined = visible.get(card);
    try {
      shown ??= await showAnswer(answer, origin, newView);
    } catch (error) {
      if (isFault(error, 'unreachable') && !error.unsent) maybeSent.add(card);
      throw error;
    }
    const message = shown === undefined || isEphemeral(shown) ? undefined : shown;
    if (message !== undefined) {
      visible.set(card, message);
      // The question is removed before the desk drops the draft, so that after a crash in between the same answer finds both
      // again.
      await (await findAnswered(answer, origin))();
    }
    await desk.cardShown(card.job, message && cardRef(message));
  };

  const showText = async ({ text }: Note, tone: 'info' | 'failed', origin: ReplyOrigin): Promise<void> => {
    await showAnswer({ kind: 'message', audience: 'everyone', view: { tone, lines: [text] } }, origin);
  };

  const showNow = async (reply: Reply, origin: ReplyOrigin): Promise<void> => {
    switch (reply.kind) {
      case 'message':
      case 'result': {
        const shown = await showAnswer(reply, origin);
        if (reply.kind === 'result')
          await desk.resultShown(
            reply,
            shown === undefined || isEphemeral(shown) ? undefined : cardRef(shown),
          );
        await (await findAnswered(reply, origin))();
        return;
      }
      case 'card':
      case 'further-cards':
        for (const card of cardsOf(reply)) await showCard(card, origin);
        return;
      case 'ask':
        return await ask(reply, origin);
      case 'replace':
        if (origin.pressed === undefined || isEphemeral(origin.pressed))
          await showAnswer(
            { kind: 'message', audience: 'everyone', view: reply.view, replaces: true },
            origin,
          );
        else
          await chat.replace(
            origin.pressed,
            withoutOldPicture(origin.pressed, reply.view),
            waitingOf(origin),
          );
        return;
      case 'remove':
        if (origin.pressed) await chat.remove(origin.pressed, reply.note);
        return;
      case 'told-before':
        // The note was already shown as the acknowledgement of the press.
        return;
      case 'chat-told-before':
      case 'card-shown-before':
        if (origin.ephemeral !== undefined) await showText(reply, 'failed', origin);
        return;
      case 'chat-note':
        return await showText(reply, 'info', origin);
      case 'note':
      case 'not-yours':
      case 'stale':
        return await showText(reply, 'failed', origin);
    }
  };

  /** Shows the reply without its picture, which Telegram has refused. */
  const showWithoutMedia = (reply: ReplyOf<'message' | 'result'>, origin: ReplyOrigin): Promise<void> => {
    const { media: _, ...view } = reply.view;
    const why = wordsFor(origin.caller.locale).failure['result-refused'];
    return showNow({ ...reply, view: { ...view, lines: [...view.lines, why] } }, origin);
  };

  return {
    /** Shows a reply; may be retried after a failure, which at worst makes a second message. */
    async show(reply: Reply, origin: ReplyOrigin): Promise<void> {
      try {
        await showNow(reply, origin);
      } catch (error) {
        const isMessage = reply.kind === 'message' || reply.kind === 'result';
        if (isMessage && reply.view.media && isFault(error, 'refused', 'too-large'))
          return await showWithoutMedia(reply, origin);
        // An answer that waited too long is dropped, because it is of no use any more.
        const isDropped = isFault(error, 'rate-limited') && !hasCards(reply);
        // If the bot was blocked or removed, or the chat deleted, nobody can read an answer.
        if (!isDropped && !isFault(error, 'gone')) throw error;
        if (reply.kind === 'result') await desk.resultShown(reply, undefined);
        if (hasCards(reply)) for (const { job } of cardsOf(reply)) await desk.cardShown(job, undefined);
      }
    },
  };
}

export type Answers = ReturnType<typeof createAnswers>;
