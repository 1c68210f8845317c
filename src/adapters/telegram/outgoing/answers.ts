import type { Clock } from '../../../base/clock.ts';
import type { Caller, Place } from '../../../command/place.ts';
import { cardsOf, type JobCard, type Reply } from '../../../command/reply.ts';
import { shorten } from '../../../command/shorten.ts';
import type { View } from '../../../command/view.ts';
import type { Words } from '../../../words/words.ts';
import type { AdapterOptions } from '../../adapter.ts';
import { isFault } from '../api/fault.ts';
import {
  type Card,
  cardRef,
  type Destination,
  destinationOf,
  type Ephemeral,
  isEphemeral,
  isGroup,
  isSameMessage,
  type MessageCard,
} from '../api/refs.ts';
import type { Chat } from './chat.ts';
import type { Waiting } from './chat-queue.ts';
import type { Ephemerals } from './ephemerals.ts';
import { uploadOf } from './media.ts';
import type { Questions } from './questions.ts';
import { EPHEMERAL_LIMIT, fits } from './render.ts';
import type { SendOptions } from './sending.ts';

/** In a busy group later answers are dropped; a card is shown however late. */
const ANSWER_WITHIN_MS = 90_000;
/** A job waits at most this long until its question is removed. */
const REMOVED_WITHIN_MS = 2_000;

/** What a reply answers, and so where it is sent. */
interface Origin {
  readonly caller: Caller;
  readonly place: Place;
  /** The message to reply to, in a group. */
  readonly replyTo?: number | undefined;
  /** It came ephemerally, or from a button of such a message, and is answered in the same way. */
  readonly ephemeral?: Ephemeral | undefined;
  /** What says that it takes longer; the answer takes its place. */
  readonly working?: Card | undefined;
  /** The message whose button was pressed. */
  readonly pressed?: Card;
  /** Too rare to count against the person's share of the group. */
  readonly rare?: true;
}

/** Whose share of the group an answer counts against. */
function sharing({ caller, rare }: Origin): Pick<Waiting, 'person'> {
  return rare ? {} : { person: caller.id };
}

/** In a group the answer is shown as a reply. */
function replying(origin: Origin): SendOptions {
  return origin.place.direct || origin.replyTo === undefined ? {} : { replyTo: origin.replyTo };
}

function waitingOf(reply: Pick<Reply, 'kind'>, origin: Origin): Waiting {
  return {
    ...sharing(origin),
    ...(reply.kind === 'card' ? {} : { mostWaitMs: ANSWER_WITHIN_MS }),
  };
}

/** Anonymous administrators and channels have no private chat. */
function isPerson(caller: Caller): boolean {
  return /^\d+$/.test(caller.id);
}

/** Telegram cannot take the picture out of a message: a sheet can only become another one. */
function canBecome(message: Card, view: View): boolean {
  if (message.media) return view.tiles !== undefined || view.media !== undefined;
  // That an ephemeral text can become a picture is not promised.
  return !isEphemeral(message) || (uploadOf(view) === undefined && fits(view, EPHEMERAL_LIMIT));
}

/** It shows a job, and an ephemeral message may vanish. */
function isLasting(reply: Reply): boolean {
  return reply.kind === 'card' || (reply.kind === 'message' && reply.lasting === true);
}

export function createAnswers(
  options: Pick<AdapterOptions, 'desk' | 'words'> & {
    readonly clock: Pick<Clock, 'now'>;
    readonly chat: Chat;
    readonly ephemerals: Ephemerals;
    readonly questions: Questions;
    readonly botName: () => string;
  },
) {
  const { chat, clock, desk, ephemerals, questions } = options;
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

  const refusePrivate = async (origin: Origin): Promise<void> => {
    const words = wordsFor(origin);
    const anonymous = !isPerson(origin.caller);
    const view: View = { tone: 'info', lines: [anonymous ? words.anonymous : words.startFirst] };
    const url = `https://t.me/${options.botName()}?start=private`;
    const markup = { inline_keyboard: [[{ text: words.startButton, url }]] };
    await chat.send(destinationOf(origin.place), view, {
      ...replying(origin),
      ...(anonymous ? {} : { markup }),
      ...waitingOf({ kind: 'message' }, origin),
    });
  };

  /** `undefined`: the bot cannot write to the person, and said so in the group. */
  const sendOpenly = async (
    origin: Origin,
    view: View,
    isPrivate: boolean,
    waiting: Waiting,
  ): Promise<MessageCard | undefined> => {
    if (!isPrivate || origin.place.direct)
      return (await chat.send(destinationOf(origin.place), view, { ...replying(origin), ...waiting })).card;
    try {
      // Telegram would refuse it anyway.
      if (!isPerson(origin.caller)) return void (await refusePrivate(origin));
      return (await chat.send({ chat: Number(origin.caller.id) }, view, waiting)).card;
    } catch (error) {
      if (!isFault(error, 'gone', 'refused')) throw error;
      return void (await refusePrivate(origin));
    }
  };

  /** In the group, to the person alone; `undefined`: Telegram does not allow it. */
  const sendAlone = async (origin: Origin, view: View, to: Ephemeral): Promise<Card | undefined> => {
    const { caller, place } = origin;
    const there = destinationOf(place);
    if (!isPerson(caller) || !ephemerals.isPossible(there.chat, to)) return undefined;
    const mostWaitMs = Math.min(ANSWER_WITHIN_MS, to.until - clock.now());
    try {
      const card = await chat.sendAlone(there, view, to, { ...sharing(origin), mostWaitMs });
      await questions.replaced(caller, card);
      return card;
    } catch (error) {
      if (!isFault(error, 'gone', 'refused', 'migrated', 'rate-limited')) throw error;
      // A refused picture, or one that is late, says nothing about the chat.
      const isTelling = uploadOf(view) === undefined && clock.now() < to.until;
      if (isTelling && !isFault(error, 'rate-limited')) ephemerals.refusedIn(there.chat, to);
      return undefined;
    }
  };

  /** An administrator may tell the person alone why a command is refused, where their app shows it. */
  const refusedAlone = async ({ caller, place, rare }: Origin, { tone }: View) => {
    if (tone !== 'failed' || place.direct || rare || !(await ephemerals.isShownTo(caller))) return undefined;
    return { receiver: Number(caller.id), until: Number.POSITIVE_INFINITY };
  };

  /** What was asked ephemerally is answered in private where that fails. */
  const sendTo = async (
    origin: Origin,
    view: View,
    isPrivate: boolean,
    waiting: Waiting,
  ): Promise<Card | undefined> => {
    const ephemeral = origin.ephemeral ?? (await refusedAlone(origin, view));
    const alone = ephemeral && (await sendAlone(origin, view, ephemeral));
    return alone ?? (await sendOpenly(origin, view, isPrivate || origin.ephemeral !== undefined, waiting));
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
        await showInPlace({ kind: 'message', view: { tone: 'info', lines: [reply.text] } }, origin);
    }
  };

  /** Without the picture, which would be refused again. */
  const showWithoutMedia = (reply: Extract<Reply, { kind: 'message' }>, origin: Origin): Promise<void> => {
    const { media: _, ...view } = reply.view;
    const why = options.words(origin.caller.locale).failure['result-refused'];
    return showNow({ ...reply, view: { ...view, lines: [...view.lines, why] } }, origin);
  };

  return {
    /** Says that the answer takes longer, while Telegram still allows an ephemeral one. */
    working: async (origin: Origin & { readonly ephemeral: Ephemeral }): Promise<Card | undefined> =>
      sendAlone(origin, { tone: 'busy', lines: [wordsFor(origin).working] }, origin.ephemeral),
    /** In the group or in private, or not at all where the bot can do neither. */
    async tellAlone(view: View, origin: Origin & { readonly ephemeral: Ephemeral }): Promise<void> {
      const { caller, ephemeral } = origin;
      if (!isPerson(caller)) return;
      const isShown = await ephemerals.isShownTo(caller);
      if (isShown && (await sendAlone(origin, view, ephemeral)) !== undefined) return;
      try {
        await chat.send({ chat: Number(caller.id) }, view, waitingOf({ kind: 'message' }, origin));
      } catch (error) {
        if (!isFault(error, 'gone', 'refused', 'rate-limited')) throw error;
        // Better than nothing, if their app happens to show it.
        if (!isShown) await sendAlone(origin, view, ephemeral);
      }
    },
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
