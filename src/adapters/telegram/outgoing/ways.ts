import type { Caller, Place } from '../../../command/place.ts';
import type { Reply } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import type { TelegramParts } from '../api/api.ts';
import { isFault } from '../api/fault.ts';
import { type Card, destinationOf, type Ephemeral, type MessageCard } from '../api/refs.ts';
import type { Chat } from './chat.ts';
import type { Waiting } from './chat-queue.ts';
import type { Ephemerals } from './ephemerals.ts';
import { uploadOf } from './media.ts';
import type { SendOptions } from './message-calls.ts';
import type { Questions } from './questions.ts';

/** In a busy group later answers are dropped; a card is shown however late. */
const ANSWER_WITHIN_MS = 90_000;

/** What a reply answers, and so where it is sent. */
export interface Origin {
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
  /** What the person sent is refused, whatever the tone. */
  readonly refused?: true;
  /** Too rare to count against the person's share of the group. */
  readonly rare?: true;
}

/** Whose share of the group an answer counts against. */
export const sharing = ({ caller, rare }: Origin): Pick<Waiting, 'person'> =>
  rare ? {} : { person: caller.id };

/** In a group the answer is shown as a reply. */
export const replying = (origin: Origin): SendOptions =>
  origin.place.direct || origin.replyTo === undefined ? {} : { replyTo: origin.replyTo };

export const waitingOf = ({ kind }: Pick<Reply, 'kind'>, origin: Origin): Waiting => ({
  ...sharing(origin),
  ...(kind === 'card' ? {} : { mostWaitMs: ANSWER_WITHIN_MS }),
});

/** Anonymous administrators and channels have no private chat. */
const isPerson = (caller: Caller): boolean => /^\d+$/.test(caller.id);

export interface WayParts extends TelegramParts {
  readonly chat: Chat;
  readonly ephemerals: Ephemerals;
  readonly questions: Questions;
  readonly botName: () => string;
}

/** `undefined`: the bot cannot write to the person, and said so in the group. */
type Send<C extends Card> = (
  origin: Origin,
  view: View,
  isPrivate: boolean,
  waiting: Waiting,
) => Promise<C | undefined>;

/** How a new answer reaches people: in the chat, in a group to one person alone, or in private. */
export function createWays(options: WayParts) {
  const { chat, clock, ephemerals, questions } = options;
  const wordsFor = ({ caller }: Origin) => options.words(caller.locale).telegram;

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

  const sendOpenly: Send<MessageCard> = async (origin, view, isPrivate, waiting) => {
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
      // It has waited as long as any other message would.
      if (isFault(error, 'rate-limited') && to.trigger === undefined) throw error;
      // A refused picture says nothing about the chat, nor does what may be late: a press does not say when it was.
      const isTimed = to.trigger?.press === undefined && clock.now() < to.until;
      const isTelling = uploadOf(view) === undefined && isTimed;
      if (isTelling && !isFault(error, 'rate-limited')) ephemerals.refusedIn(there.chat, to);
      return undefined;
    }
  };

  /** An administrator may tell the person alone why a command is refused, where their app shows it. */
  const refusedAlone = async ({ caller, place, rare, refused }: Origin, { tone }: View) => {
    if (place.direct || rare || (tone !== 'failed' && !refused)) return undefined;
    const alone = { receiver: Number(caller.id), until: Number.POSITIVE_INFINITY };
    if (!ephemerals.isPossible(destinationOf(place).chat, alone)) return undefined;
    return (await ephemerals.isShownTo(caller)) ? alone : undefined;
  };

  /** What was asked ephemerally is answered in private where that fails. */
  const sendTo: Send<Card> = async (origin, view, isPrivate, waiting) => {
    const ephemeral = origin.ephemeral ?? (await refusedAlone(origin, view));
    const alone = ephemeral && (await sendAlone(origin, view, ephemeral));
    return alone ?? (await sendOpenly(origin, view, isPrivate || origin.ephemeral !== undefined, waiting));
  };

  return {
    sendOpenly,
    sendTo,
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
  };
}
