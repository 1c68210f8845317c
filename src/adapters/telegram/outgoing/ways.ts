import { InlineKeyboard } from 'grammy';
import type { Caller, Place } from '../../../command/place.ts';
import type { Meanwhile, ReplyOf } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import { isFault } from '../api/fault.ts';
import type { TelegramParts } from '../api/options.ts';
import { type Card, destinationOf, type Ephemeral, isEphemeral, personOf } from '../api/refs.ts';
import { retryLater } from '../api/retry-later.ts';
import type { Waiting } from '../rate-limits/chat-queue.ts';
import type { Chat } from './chat.ts';
import type { Ephemerals } from './ephemerals.ts';
import { uploadOf } from './media.ts';
import type { Alone, Openly } from './message-calls.ts';
import type { Questions } from './questions.ts';

/** In a busy group later answers are dropped; a card is shown however late. */
const ANSWER_WITHIN_MS = 90_000;

/** The machine's clock and Telegram's may differ by so much. */
const CLOCKS_DIFFER_MS = 5_000;

/** The command, text or press that is answered. */
export interface Origin {
  readonly caller: Caller;
  readonly place: Place;
  /** The message to reply to, in a group. */
  readonly replyTo?: number | undefined;
  /** It came ephemerally, or from a button of such a message, and is answered in the same way. */
  readonly ephemeral?: Ephemeral | undefined;
  /** A message that says that it takes longer; the answer takes its place. */
  readonly working?: Card | undefined;
  /** The message whose button was pressed. */
  readonly pressed?: Card | undefined;
  /** Too rare to count against the person's share of the group. */
  readonly rare?: true;
}

/** A reply that can be a message of its own. */
export type Answer = ReplyOf<'message' | 'result' | 'card' | 'ask'>;

/** Where an answer goes, decided before any of it is shown. */
export interface Way {
  /** The message that it takes the place of, edited where that is possible. */
  readonly inPlaceOf: Card | undefined;
  /** Tried first for a new message: one of the group that the person alone sees. */
  readonly alone?: Ephemeral | undefined;
  /** `chat`: where it was asked, for all who are there. `private`: to the person's own chat with the bot. */
  readonly to: 'chat' | 'private';
  readonly waiting: Waiting;
}

export const waitingOf = ({ caller, rare }: Origin, mostWaitMs = ANSWER_WITHIN_MS): Waiting => ({
  person: rare ? undefined : caller.id,
  mostWaitMs,
});

/** The place for an answer to all who are there; in a group it is a reply. */
export const whereAsked = ({ place, replyTo }: Origin): Openly => ({
  ...destinationOf(place),
  replyTo: place.direct ? undefined : replyTo,
});

/** It shows a job, and an ephemeral message may vanish. */
const isLasting = (answer: Answer): boolean => answer.kind === 'card' || answer.kind === 'result';

export type WayParts = Pick<TelegramParts, 'clock' | 'log' | 'stop' | 'words'> & {
  readonly chat: Chat;
  readonly ephemerals: Ephemerals;
  readonly questions: Questions;
  readonly botName: () => string;
};

/** How a new answer reaches people: in the chat, in a group to one person alone, or in private. */
export function createWays(options: WayParts) {
  const { chat, clock, log, stop, words, ephemerals, questions, botName } = options;
  const wordsFor = ({ caller }: Origin) => words(caller.locale).telegram;

  /** An administrator may tell the person alone why a command is refused, where their app shows it. */
  const asAdministrator = async ({ caller, place, rare }: Origin): Promise<Ephemeral | undefined> => {
    const receiver = personOf(caller);
    if (place.direct || rare || receiver === undefined) return undefined;
    const alone = { receiver, until: Number.POSITIVE_INFINITY };
    if (!(await ephemerals.isPossible(Number(place.channel), alone))) return undefined;
    return (await ephemerals.isShownTo(caller)) ? alone : undefined;
  };

  /** The Bot API server does not know ephemeral messages and has shown this one to everybody. */
  const takeBack = async (card: Card, origin: Origin): Promise<void> => {
    const remove = (): Promise<void> => chat.remove(card, wordsFor(origin).removed);
    const removed = retryLater(remove, clock, { signal: stop }).catch((error: unknown) =>
      log.warn({ err: error }, 'a message for one person could not be removed from a group'),
    );
    await Promise.all([ephemerals.unsupported(), removed]);
  };

  /** In the group, to the person alone; `undefined`: Telegram does not allow it. */
  const sendAlone = async (view: View, origin: Origin, alone: Ephemeral): Promise<Card | undefined> => {
    const { caller, place } = origin;
    const to: Alone = { ...destinationOf(place), alone };
    if (personOf(caller) === undefined || !(await ephemerals.isPossible(to.chat, alone))) return undefined;
    const mostWaitMs = Math.min(ANSWER_WITHIN_MS, alone.until - clock.now());
    try {
      const card = await chat.sendAlone(to, view, waitingOf(origin, mostWaitMs));
      if (isEphemeral(card)) {
        await questions.replaced(caller, card);
        return card;
      }
      await takeBack(card, origin);
      return undefined;
    } catch (error) {
      if (!isFault(error, 'gone', 'refused', 'migrated', 'rate-limited')) throw error;
      // It has waited as long as any other message would.
      if (isFault(error, 'rate-limited') && alone.trigger === undefined) throw error;
      // A refused picture says nothing about the chat, nor does what may be late: a press does not say when it was, and Telegram's clock may be ahead.
      const isTimed = alone.trigger?.press === undefined && clock.now() < alone.until - CLOCKS_DIFFER_MS;
      if (error.kind !== 'rate-limited' && isTimed && uploadOf(view) === undefined)
        ephemerals.refusedIn(to.chat, alone, error);
      return undefined;
    }
  };

  /** `undefined`: the bot cannot write to the person. */
  const sendPrivately = async (view: View, { caller }: Origin, waiting: Waiting) => {
    const person = personOf(caller);
    if (person === undefined) return undefined;
    try {
      return (await chat.send({ chat: person }, view, waiting)).card;
    } catch (error) {
      if (!isFault(error, 'gone', 'refused')) throw error;
      return undefined;
    }
  };

  const refusePrivate = async (origin: Origin): Promise<void> => {
    const { anonymous, startFirst, startButton } = wordsFor(origin);
    const url = `https://t.me/${botName()}?start=private`;
    const [why, more] =
      personOf(origin.caller) === undefined
        ? [anonymous]
        : [startFirst, { markup: new InlineKeyboard().url(startButton, url) }];
    await chat.send(whereAsked(origin), { tone: 'info', lines: [why] }, waitingOf(origin), more);
  };

  return {
    async wayOf(answer: Answer, origin: Origin): Promise<Way> {
      const { place, ephemeral, pressed, working } = origin;
      const waiting = waitingOf(origin, answer.kind === 'card' ? Number.POSITIVE_INFINITY : undefined);
      const to = answer.audience === 'caller' && !place.direct ? 'private' : 'chat';
      const inPlaceOf = working ?? (answer.replaces ? pressed : undefined);
      if (isLasting(answer)) return { inPlaceOf, to, waiting };
      // A press can be answered in place later than Telegram allows a new message. Where both fail, the answer is private.
      if (ephemeral !== undefined) {
        const own = pressed && isEphemeral(pressed) ? pressed : undefined;
        return { inPlaceOf: inPlaceOf ?? own, alone: ephemeral, to: 'private', waiting };
      }
      const isRefusal = answer.view.tone === 'failed';
      return { inPlaceOf, alone: isRefusal ? await asAdministrator(origin) : undefined, to, waiting };
    },
    /** `undefined`: the bot cannot write to the person, and said so in the group. */
    async send(
      view: View,
      origin: Origin,
      { alone, inPlaceOf, to, waiting }: Way,
    ): Promise<Card | undefined> {
      const shown = alone && (await sendAlone(view, origin, alone));
      if (shown !== undefined) return shown;
      if (to === 'chat') return (await chat.send(whereAsked(origin), view, waiting)).card;
      const told = await sendPrivately(view, origin, waiting);
      if (told !== undefined) return told;
      // Too late for a new message, the one that is there can still be edited: not into a picture, so it comes without.
      const { media: _, ...bare } = view;
      if (alone !== undefined && inPlaceOf !== undefined && isEphemeral(inPlaceOf))
        return (await chat.replace(inPlaceOf, bare, waiting)).card;
      return void (await refusePrivate(origin));
    },
    /**
     * Says that the answer takes longer: where the desk says it, or while Telegram still allows an ephemeral answer. Where it would
     * have to wait, it is not said.
     */
    async working(origin: Origin, said?: Meanwhile): Promise<Card | undefined> {
      const { place, ephemeral, pressed } = origin;
      const view = said?.view ?? { tone: 'busy', lines: [wordsFor(origin).working] };
      const waiting = waitingOf(origin, 0);
      if (said?.replaces && pressed !== undefined) return (await chat.replace(pressed, view, waiting)).card;
      if (ephemeral !== undefined) return await sendAlone(view, origin, ephemeral);
      if (said?.audience === 'caller' && !place.direct) return await sendPrivately(view, origin, waiting);
      return (await chat.send(whereAsked(origin), view, waiting)).card;
    },
    /**
     * In the group or in private. An app that is too old shows no ephemeral message: without an alert, which every app shows, a
     * refusal is told to everybody rather than to nobody. Anything else then is shown if the app happens to know it.
     */
    async tellAlone(
      view: View,
      origin: Origin & { readonly ephemeral: Ephemeral },
      { hasAlert }: { readonly hasAlert: boolean },
    ): Promise<void> {
      const { caller, ephemeral, pressed } = origin;
      const isOnEphemeral = pressed !== undefined && isEphemeral(pressed);
      const isSeen = hasAlert || isOnEphemeral || (await ephemerals.isShownTo(caller));
      if (isSeen && (await sendAlone(view, origin, ephemeral)) !== undefined) return;
      const told = await sendPrivately(view, origin, waitingOf(origin)).catch((error: unknown) => {
        if (!isFault(error, 'rate-limited')) throw error;
      });
      if (told !== undefined || hasAlert) return;
      if (view.tone === 'failed') await chat.send(whereAsked(origin), view, waitingOf(origin));
      else if (!isSeen) await sendAlone(view, origin, ephemeral);
    },
  };
}
