import type { Desk } from '../../../command/desk.ts';
import type { Caller } from '../../../command/place.ts';
import type { Reply } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import type { Words } from '../../../words/words.ts';
import { isFault } from '../api/fault.ts';
import { type Card, cardRef, isGroup, isSameMessage, spotOf } from '../api/refs.ts';
import type { Chat } from './chat.ts';
import type { Waiting } from './chat-queue.ts';
import type { Questions } from './questions.ts';
import { type Origin, replying, sharing } from './reply-origin.ts';
import { createPrompts } from './reply-prompts.ts';

export interface Answers {
  /** Shows a reply. Repeating it after a failure is harmless but for a second message. */
  show(reply: Reply, origin: Origin): Promise<void>;
}

/** What is answered later than this in a busy group answers nobody any more. A card is shown however late it is. */
const answerWithinMs = 90_000;
/** A job does not wait longer than this for the question before it to go. */
const removedWithinMs = 2_000;
const waitingOf = (reply: Pick<Reply, 'kind'>, origin: Origin): Waiting => ({
  ...sharing(origin),
  ...(reply.kind === 'card' ? {} : { mostWaitMs: answerWithinMs }),
});

/** An administrator who hides, and a channel, have no private chat. */
const isPerson = (caller: Caller): boolean => /^\d+$/.test(caller.id);

export const createAnswers = (options: {
  readonly chat: Chat;
  readonly desk: Desk;
  readonly questions: Questions;
  readonly words: (locale: string) => Words;
  readonly botName: () => string;
}): Answers => {
  const { chat, desk, questions } = options;
  /** Cards that are visible already: when only reporting them failed, only that is tried again. */
  const visible = new WeakMap<Reply, Card>();
  /** Cards that were sent, and nobody knows whether they arrived: Telegram has no way to ask, nor to send just once. */
  const doubtful = new WeakSet<Reply>();

  const prompts = createPrompts(options);

  const refusePrivate = async (origin: Origin): Promise<void> => {
    const words = options.words(origin.caller.locale).telegram;
    const anonymous = !isPerson(origin.caller);
    const view: View = { tone: 'info', lines: [anonymous ? words.anonymous : words.startFirst] };
    const url = `https://t.me/${options.botName()}?start=private`;
    const markup = { inline_keyboard: [[{ text: words.startButton, url }]] };
    await chat.send(spotOf(origin.place), view, {
      ...replying(origin),
      ...(anonymous ? {} : { markup }),
      ...waitingOf({ kind: 'message' }, origin),
    });
  };

  /** `undefined`: the person cannot be written to, and was told in the group. */
  const sendTo = async (
    origin: Origin,
    view: View,
    secret: boolean,
    waiting: Waiting,
  ): Promise<Card | undefined> => {
    if (!secret || origin.place.direct)
      return (await chat.send(spotOf(origin.place), view, { ...replying(origin), ...waiting })).card;
    try {
      // No person has this number: Telegram would say the same, only later.
      if (!isPerson(origin.caller)) return void (await refusePrivate(origin));
      return (await chat.send({ chat: Number(origin.caller.id) }, view, waiting)).card;
    } catch (error) {
      if (!isFault(error, 'gone', 'refused')) throw error;
      return void (await refusePrivate(origin));
    }
  };

  /** Takes the question's place; a new message where the question has gone meanwhile. */
  const replace = async (
    question: Card,
    origin: Origin,
    view: View,
    anew: View,
    waiting: Waiting,
  ): Promise<Card | undefined> => {
    try {
      return (await chat.replace(question, view, waiting)).card;
    } catch (error) {
      if (!isFault(error, 'gone')) throw error;
      return await sendTo(origin, anew, false, waiting);
    }
  };

  const remove = (card: Card, { caller }: Origin, mostWaitMs?: number): Promise<void> =>
    chat.remove(card, options.words(caller.locale).telegram.removed, mostWaitMs);

  /** A button answered the question: what was sent beside it goes. */
  const pressedAway = async (question: Card, reply: Reply, origin: Origin): Promise<void> => {
    const open = await questions.find(origin.caller, (each) => isSameMessage(each.question, question));
    if (open === undefined) return;
    if (reply.kind !== 'ask') await questions.close(origin.caller, open.draft);
    // A courtesy: nothing waits for it.
    if (open.beside !== undefined) void remove(open.beside, origin).catch(() => undefined);
  };

  /** What was answered in writing goes, with its buttons: they would only say that they are no longer valid. */
  const answeredQuestion = async (reply: Reply, origin: Origin): Promise<() => Promise<void>> => {
    const draft = 'answers' in reply ? reply.answers : undefined;
    const open =
      draft === undefined ? undefined : await questions.find(origin.caller, (each) => each.draft === draft);
    return async () => {
      if (open === undefined) return;
      for (const card of [open.question, ...(open.beside === undefined ? [] : [open.beside])])
        await remove(card, origin, removedWithinMs).catch((error: unknown) => {
          // In a busy group later, and meanwhile what follows goes on.
          if (isFault(error, 'flood')) void remove(card, origin).catch(() => undefined);
        });
      if (reply.kind !== 'ask') await questions.close(origin.caller, open.draft);
    };
  };

  /**
   * What answers a button of a question takes the question's place. `anew`: what a new message shows, where that
   * differs from an edited one.
   */
  const inPlace = async (
    reply: Extract<Reply, { kind: 'message' | 'card' | 'ask' }>,
    origin: Origin,
    anew: View = reply.view,
  ): Promise<Card | undefined> => {
    const secret = reply.private === true;
    const waiting = waitingOf(reply, origin);
    const question = reply.replaces ? origin.pressed : undefined;
    if (question === undefined) return await sendTo(origin, anew, secret, waiting);
    await pressedAway(question, reply, origin);
    if (!secret || origin.place.direct) return await replace(question, origin, reply.view, anew, waiting);
    const card = await sendTo(origin, anew, secret, waiting);
    // What follows is there, once: should the question stay, its buttons say that it is over.
    if (card !== undefined)
      await chat
        .remove(question, options.words(origin.caller.locale).telegram.answeredInPrivate)
        .catch(() => undefined);
    return card;
  };

  /** There, what is simply said next is not heard. */
  const forGroup = (view: View, { ask, telegram }: Words): View => ({
    ...view,
    lines: view.lines.map((line) => (line === ask.pickOrType ? telegram.pickOrReply : line)),
  });

  const ask = async (reply: Extract<Reply, { kind: 'ask' }>, origin: Origin): Promise<void> => {
    const [first] = reply.questions;
    const spot = spotOf(origin.place);
    const choosable = first.kind === 'choice' || (first.kind === 'reference' && first.choices !== undefined);
    const inGroup = isGroup(spot.chat) && !reply.private;
    const view = inGroup ? forGroup(reply.view, options.words(origin.caller.locale)) : reply.view;
    const over = await answeredQuestion(reply, origin);
    if (!choosable && inGroup && !view.buttons?.length) {
      await prompts.send(origin, spot, view);
      return await over();
    }
    const question = await inPlace({ ...reply, view }, origin);
    if (question === undefined) return;
    if (reply.private && !origin.place.direct) await questions.asked(origin.caller, origin.place);
    const beside = !choosable && inGroup ? { beside: await prompts.sendBeside(origin, spot) } : {};
    if (view.buttons?.length)
      await questions.open(origin.caller, { draft: reply.draft, question, ...beside });
    await over();
  };

  const showCard = async (reply: Extract<Reply, { kind: 'card' }>, origin: Origin): Promise<void> => {
    const { view } = reply;
    const note = options.words(origin.caller.locale).telegram.sentAgain;
    const anew = reply.again || doubtful.has(reply) ? { ...view, lines: [...view.lines, note] } : view;
    const shown = visible.get(reply) ?? (await inPlace(reply, origin, anew).catch(doubt(reply)));
    if (shown !== undefined) {
      visible.set(reply, shown);
      // Before the draft is forgotten: after a crash in between, the same answer finds both once more.
      await (await answeredQuestion(reply, origin))();
    }
    await desk.shown(reply.job, shown && cardRef(shown));
  };
  const doubt =
    (reply: Reply) =>
    (error: unknown): never => {
      if (isFault(error, 'unreachable') && !error.unsent) doubtful.add(reply);
      throw error;
    };

  const showNow = async (reply: Reply, origin: Origin): Promise<void> => {
    switch (reply.kind) {
      case 'message':
        // Nothing can be shown to one person in a group: what would strand those who never wrote to us stays there.
        await inPlace(reply, origin);
        await (await answeredQuestion(reply, origin))();
        return;
      case 'card':
        return await showCard(reply, origin);
      case 'ask':
        return await ask(reply, origin);
      case 'replace':
        if (origin.pressed) await chat.replace(origin.pressed, reply.view, waitingOf(reply, origin));
        else await sendTo(origin, reply.view, false, waitingOf(reply, origin));
        return;
      case 'remove':
        if (origin.pressed) await chat.remove(origin.pressed, reply.note);
        return;
      case 'note':
        // A press is answered with it before it comes here.
        if (reply.known) return;
        await sendTo(origin, { tone: 'info', lines: [reply.text] }, false, waitingOf(reply, origin));
    }
  };

  return {
    async show(reply, origin) {
      try {
        await showNow(reply, origin);
      } catch (error) {
        // Too late to be an answer; whoever still wants one asks again.
        if (isFault(error, 'flood') && reply.kind !== 'card') return;
        // Blocked, thrown out, deleted: nobody is left who could read an answer.
        if (!isFault(error, 'gone')) throw error;
        if (reply.kind === 'card') await desk.shown(reply.job, undefined);
      }
    },
  };
};
