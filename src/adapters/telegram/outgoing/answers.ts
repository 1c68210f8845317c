import { cardsOf, type JobCard, type Reply } from '../../../command/reply.ts';
import { shorten } from '../../../command/shorten.ts';
import type { View } from '../../../command/view.ts';
import type { Words } from '../../../words/words.ts';
import { isFault } from '../api/fault.ts';
import {
  type Card,
  cardRef,
  type Destination,
  destinationOf,
  isEphemeral,
  isGroup,
  isSameMessage,
  type MessageCard,
} from '../api/refs.ts';
import type { Waiting } from './chat-queue.ts';
import { uploadOf } from './media.ts';
import { EPHEMERAL_LIMIT, fits } from './render.ts';
import { createWays, type Origin, replying, sharing, type WayParts, waitingOf } from './ways.ts';

/** A job waits at most this long until its question is removed. */
const REMOVED_WITHIN_MS = 2_000;

/** Telegram cannot take the picture out of a message: a sheet can only become another one. */
function canBecome(message: Card, view: View): boolean {
  if (message.media) return view.tiles !== undefined || view.media !== undefined;
  // That an ephemeral text can become a picture is not promised.
  return !isEphemeral(message) || (uploadOf(view) === undefined && fits(view, EPHEMERAL_LIMIT));
}

/** It shows a job, and an ephemeral message may vanish. */
const isLasting = (reply: Reply): boolean =>
  reply.kind === 'card' || (reply.kind === 'message' && reply.lasting === true);

export function createAnswers(options: WayParts) {
  const { chat, desk, questions } = options;
  const { sendOpenly, sendTo, ...alone } = createWays(options);
  /** Cards already shown: a retry only reports them to the desk. */
  const visible = new WeakMap<JobCard, MessageCard>();
  /** Cards that may have arrived: Telegram offers no way to check, and no idempotency key. */
  const maybeSent = new WeakSet<JobCard>();

  const wordsFor = ({ caller }: Origin) => options.words(caller.locale).telegram;

  /** In a group a bot receives only replies to its messages: `force_reply` opens one in the person's client. */
  const sendPrompt = async (origin: Origin, destination: Destination, view: View): Promise<Card> => {
    const person = Number(origin.caller.id);
    const markup = { force_reply: true, selective: true } as const;
    // Selective: for the author of the message replied to, and for people mentioned in the text.
    const named = origin.pressed !== undefined && Number.isSafeInteger(person);
    const mention = { id: person, name: shorten(origin.caller.name, 60) };
    const to = named ? { mention } : replying(origin);
    return (await chat.send(destination, view, { ...to, ...sharing(origin), markup })).card;
  };

  /** Edits the question; sends a new message if the question was deleted. */
  const replace = async (
    question: Card,
    origin: Origin,
    view: View,
    newView: View,
    waiting: Waiting,
  ): Promise<Card | undefined> => {
    try {
      return (await chat.replace(question, view, waiting)).card;
    } catch (error) {
      const isLost = isEphemeral(question) && isFault(error, 'refused', 'migrated');
      if (!isLost && !isFault(error, 'gone')) throw error;
      return await sendTo(origin, newView, false, waiting);
    }
  };

  const remove = (card: Card, origin: Origin, mostWaitMs?: number): Promise<void> =>
    chat.remove(card, wordsFor(origin).removed, mostWaitMs);

  /** A job does not wait long for it; the rest is done in the background. */
  const removeSoon = (card: Card, origin: Origin): Promise<void> =>
    remove(card, origin, REMOVED_WITHIN_MS).catch((error: unknown) => {
      if (isFault(error, 'rate-limited')) void remove(card, origin).catch(() => undefined);
    });

  /** A button answered the question: the reply prompt next to it is removed. */
  const closeQuestion = async (question: Card, reply: Reply, origin: Origin): Promise<void> => {
    const open = await questions.find(origin.caller, (each) => isSameMessage(each.question, question));
    if (open === undefined) return;
    if (reply.kind !== 'ask') await questions.close(origin.caller, open.draft);
    // In the background: a failure does not matter.
    if (open.beside !== undefined) void remove(open.beside, origin).catch(() => undefined);
  };

  /** A question that was answered in writing is removed, because its buttons are no longer valid. */
  const findAnswered = async (reply: Reply, origin: Origin): Promise<() => Promise<void>> => {
    const draft = 'answers' in reply ? reply.answers : undefined;
    const open =
      draft === undefined ? undefined : await questions.find(origin.caller, (each) => each.draft === draft);
    return async () => {
      if (open === undefined) return;
      for (const card of [open.question, ...(open.beside === undefined ? [] : [open.beside])])
        await removeSoon(card, origin);
      if (reply.kind !== 'ask') await questions.close(origin.caller, open.draft);
    };
  };

  /**
   * What answers a button of a question takes the question's place. `anew`: what a new message shows, where that
   * differs from an edited one.
   */
  const showInPlace = async (
    reply: Extract<Reply, { kind: 'message' | 'card' | 'ask' }>,
    origin: Origin,
    newView: View = reply.view,
  ): Promise<Card | undefined> => {
    const isPrivate = reply.private === true;
    const waiting = waitingOf(reply, origin);
    const { pressed, working, ephemeral } = origin;
    const isAlone = ephemeral !== undefined && !isLasting(reply);
    const send = isLasting(reply) ? sendOpenly : sendTo;
    // In place, so that a press may be answered later than Telegram allows a new message.
    const isInPlace = reply.replaces || (isAlone && pressed !== undefined && isEphemeral(pressed));
    const question = isInPlace ? pressed : working;
    if (question === undefined) return await send(origin, newView, isPrivate, waiting);
    await closeQuestion(question, reply, origin);
    const isHere = !isPrivate || origin.place.direct || isAlone;
    if (isHere && (isAlone || !isEphemeral(question)) && canBecome(question, reply.view))
      return await replace(question, origin, reply.view, newView, waiting);
    const card = await send(origin, newView, isPrivate, waiting);
    if (question !== working && (card === undefined || !reply.replaces)) return card;
    // If the question stays, its buttons answer that it is stale.
    if (isHere) await removeSoon(question, origin);
    else await chat.remove(question, wordsFor(origin).answeredInPrivate).catch(() => undefined);
    return card;
  };

  /** In a group the bot only sees replies, not the next message. */
  const forGroup = (view: View, { ask, telegram }: Words): View => ({
    ...view,
    lines: view.lines.map((line) => (line === ask.pickOrType ? telegram.pickOrReply : line)),
  });

  const ask = async (reply: Extract<Reply, { kind: 'ask' }>, origin: Origin): Promise<void> => {
    const [first] = reply.questions;
    const destination = destinationOf(origin.place);
    const choosable = first.kind === 'choice' || (first.kind === 'reference' && first.choices !== undefined);
    const isAlone = origin.ephemeral !== undefined;
    const inGroup = isGroup(destination.chat) && (!reply.private || isAlone);
    const asked = inGroup ? forGroup(reply.view, options.words(origin.caller.locale)) : reply.view;
    const hint = wordsFor(origin).answerHere;
    // Whether an ephemeral message can force a reply is not documented.
    const view = isAlone && !choosable ? { ...asked, lines: [...asked.lines, hint] } : asked;
    const removeAnswered = await findAnswered(reply, origin);
    if (!choosable && inGroup && !isAlone && !view.buttons?.length) {
      await sendPrompt(origin, destination, view);
      return await removeAnswered();
    }
    const question = await showInPlace({ ...reply, view }, origin);
    if (question === undefined) return;
    if (!isGroup(question.chat) && !origin.place.direct) await questions.asked(origin.caller, origin.place);
    // A message with `force_reply` cannot have buttons.
    const beside =
      !choosable && inGroup && !isAlone
        ? { beside: await sendPrompt(origin, destination, { tone: 'ask', lines: [hint] }) }
        : {};
    if (view.buttons?.length || view.tiles?.length)
      await questions.open(origin.caller, { draft: reply.draft, question, ...beside });
    await removeAnswered();
  };

  const showCard = async (card: JobCard, origin: Origin): Promise<void> => {
    const reply = { kind: 'card' as const, ...card };
    const { view } = card;
    const note = wordsFor(origin).sentAgain;
    const newView = card.again || maybeSent.has(card) ? { ...view, lines: [...view.lines, note] } : view;
    const shown =
      visible.get(card) ?? (await showInPlace(reply, origin, newView).catch(rememberMaybeSent(card)));
    const message = shown === undefined || isEphemeral(shown) ? undefined : shown;
    if (message !== undefined) {
      visible.set(card, message);
      // Before the desk drops the draft: after a crash in between, the same answer finds both again.
      await (await findAnswered(reply, origin))();
    }
    await desk.shown(card.job, message && cardRef(message));
  };
  const rememberMaybeSent =
    (card: JobCard) =>
    (error: unknown): never => {
      if (isFault(error, 'unreachable') && !error.unsent) maybeSent.add(card);
      throw error;
    };

  const showNow = async (reply: Reply, origin: Origin): Promise<void> => {
    switch (reply.kind) {
      case 'message':
        await showInPlace(reply, origin);
        await (await findAnswered(reply, origin))();
        return;
      case 'card':
        for (const card of cardsOf(reply)) await showCard(card, origin);
        return;
      case 'ask':
        return await ask(reply, origin);
      case 'replace':
        if (origin.pressed && isEphemeral(origin.pressed))
          await showInPlace({ kind: 'message', view: reply.view, replaces: true }, origin);
        else if (origin.pressed) await chat.replace(origin.pressed, reply.view, waitingOf(reply, origin));
        else await sendTo(origin, reply.view, false, waitingOf(reply, origin));
        return;
      case 'remove':
        if (origin.pressed) await chat.remove(origin.pressed, reply.note);
        return;
      case 'note':
        // A press was already answered with it.
        if (reply.known === true || (reply.known && !origin.ephemeral)) return;
        await showInPlace(
          { kind: 'message', view: { tone: 'info', lines: [reply.text] } },
          reply.everybody ? origin : { ...origin, refused: true },
        );
    }
  };

  /** Without the picture, which would be refused again. */
  const showWithoutMedia = (reply: Extract<Reply, { kind: 'message' }>, origin: Origin): Promise<void> => {
    const { media: _, ...view } = reply.view;
    const why = options.words(origin.caller.locale).failure['result-refused'];
    return showNow({ ...reply, view: { ...view, lines: [...view.lines, why] } }, origin);
  };

  return {
    ...alone,
    /** May be repeated after a failure; at worst there is a second message. */
    async show(reply: Reply, origin: Origin): Promise<void> {
      try {
        await showNow(reply, origin);
      } catch (error) {
        if (reply.kind === 'message' && reply.view.media && isFault(error, 'refused', 'too-large'))
          return await showWithoutMedia(reply, origin);
        // Too late to be useful.
        if (isFault(error, 'rate-limited') && reply.kind !== 'card') return;
        // Blocked, removed or deleted: no person can read an answer.
        if (!isFault(error, 'gone')) throw error;
        if (reply.kind === 'card') for (const { job } of cardsOf(reply)) await desk.shown(job, undefined);
      }
    },
  };
}

export type Answers = ReturnType<typeof createAnswers>;
