import { InlineKeyboard } from 'grammy';
import type { Caller, Place } from '../../../command/place.ts';
import type { Meanwhile, ReplyOf } from '../../../command/reply.ts';
import type { View } from '../../../command/view.ts';
import { wordsFor } from '../../../words/words.ts';
import { isFault } from '../api/fault.ts';
import type { TelegramDependencies } from '../api/options.ts';
import { type Card, destinationOf, type Ephemeral, isEphemeral, personOf } from '../api/refs.ts';
import { retryLater } from '../api/retry-later.ts';
import type { WaitOptions } from '../rate-limits/chat-queue.ts';
import type { Chat } from './chat.ts';
import type { Ephemerals } from './ephemerals.ts';
import { uploadOf } from './media.ts';
import type { EphemeralDestination, OpenDestination } from './message-calls.ts';
import type { Questions } from './questions.ts';

/** An answer that would have to wait longer in a busy group is dropped; a card is shown however late. */
const ANSWER_WITHIN_MS = 90_000;

/** How much the machine's clock and Telegram's may differ. */
const CLOCKS_DIFFER_MS = 5_000;

/** The command, text or press that is answered, and where its answer may go. */
export interface ReplyOrigin {
  readonly caller: Caller;
  readonly place: Place;
  /** The message to reply to, in a group. */
  readonly replyTo?: number | undefined;
  /**
   * Set if the command was sent ephemerally, or the button is on an ephemeral message, so that the answer must be ephemeral,
   * too.
   */
  readonly ephemeral?: Ephemeral | undefined;
  /** The message that announced that the answer takes longer, and that the answer replaces. */
  readonly working?: Card | undefined;
  /** The message whose button was pressed. */
  readonly pressed?: Card | undefined;
  /** Set if the answer is too rare to count to the person's share of the group. */
  readonly rare?: true;
}

/** A reply that becomes a message of its own. */
export type NewMessageReply = ReplyOf<'message' | 'result' | 'card' | 'ask'>;

/** The way of an answer, decided before any of it is shown. */
export interface Way {
  /** The message that the answer replaces, by an edit if possible. */
  readonly inPlaceOf: Card | undefined;
  /** Set if a new message is first tried as an ephemeral one in the group. */
  readonly alone?: Ephemeral | undefined;
  /**
   * `chat`: the answer goes to the chat of the command, for everybody there. `private`: to the person's own chat with the
   * bot.
   */
  readonly to: 'chat' | 'private';
  readonly waiting: WaitOptions;
}

/** How the answer may wait for its turn in the chat. */
export const waitingOf = ({ caller, rare }: ReplyOrigin, mostWaitMs = ANSWER_WITHIN_MS): WaitOptions => ({
  person: rare ? undefined : caller.id,
  mostWaitMs,
});

/** The destination of an answer to everybody in the chat; in a group the answer is a reply. */
export const whereAsked = ({ place, replyTo }: ReplyOrigin): OpenDestination => ({
  ...destinationOf(place),
  replyTo: place.direct ? undefined : replyTo,
});

/** Whether the answer shows a job, and so must not be ephemeral, because an ephemeral message may vanish. */
const isLasting = (answer: NewMessageReply): boolean => answer.kind === 'card' || answer.kind === 'result';

/** Sends answers on one of three ways: to the chat, ephemerally to one person of a group, or in private. */
export function createWays(
  options: Pick<TelegramDependencies, 'clock' | 'log' | 'stop'> & {
    readonly chat: Chat;
    readonly ephemerals: Ephemerals;
    readonly questions: Questions;
    readonly botName: () => string;
  },
) {
  const { chat, clock, log, stop, ephemerals, questions, botName } = options;
  const telegramWords = ({ caller }: ReplyOrigin) => wordsFor(caller.locale).telegram;

  /**
   * The ephemeral message by which a bot that is an administrator may refuse a command; undefined if the person's app may
   * not show it.
   */
  const asAdministrator = async ({ caller, place, rare }: ReplyOrigin): Promise<Ephemeral | undefined> => {
    const receiver = personOf(caller);
    if (place.direct || rare || receiver === undefined) return undefined;
    const alone = { receiver, until: Number.POSITIVE_INFINITY };
    if (!(await ephemerals.isPossible(Number(place.channel), alone))) return undefined;
    return (await ephemerals.isShownTo(caller)) ? alone : undefined;
  };

  /** Removes a message that a Bot API server without ephemeral messages has shown to everybody, and notes that. */
  const takeBack = async (card: Card, origin: ReplyOrigin): Promise<void> => {
    const remove = () => chat.remove(card, telegramWords(origin).removed);
    const removed = retryLater(remove, clock, { signal: stop }).catch((error: unknown) =>
      log.warn({ err: error }, 'a message for one person could not be removed from a group'),
    );
    await Promise.all([ephemerals.unsupported(), removed]);
  };

  /** Sends an ephemeral message to the person; undefined if Telegram does not allow it. */
  const sendAlone = async (view: View, origin: ReplyOrigin, alone: Ephemeral): Promise<Card | undefined> => {
    const { caller, place } = origin;
    const to: EphemeralDestination = { ...destinationOf(place), alone };
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
      // A rate limit is passed on if no deadline of Telegram applied: any other message would have waited as long.
      if (isFault(error, 'rate-limited') && alone.trigger === undefined) throw error;
      // The refusal is noted only if it says something about the chat: not for a picture, and not if the message may have
      // been late (the time of a press is unknown, and Telegram's clock may be ahead).
      const isTimed = alone.trigger?.press === undefined && clock.now() < alone.until - CLOCKS_DIFFER_MS;
      if (error.kind !== 'rate-limited' && isTimed && uploadOf(view) === undefined)
        ephemerals.refusedIn(to.chat, alone, error);
      return undefined;
    }
  };

  /** Sends a private message; undefined if the bot cannot write to the person. */
  const sendPrivately = async (view: View, { caller }: ReplyOrigin, waiting: WaitOptions) => {
    const person = personOf(caller);
    if (person === undefined) return undefined;
    try {
      return (await chat.send({ chat: person }, view, waiting)).card;
    } catch (error) {
      if (!isFault(error, 'gone', 'refused')) throw error;
      return undefined;
    }
  };

  const refusePrivate = async (origin: ReplyOrigin): Promise<void> => {
    const { anonymous, startFirst, startButton } = telegramWords(origin);
    const url = `https://t.me/${botName()}?start=private`;
    const isAnonymous = personOf(origin.caller) === undefined;
    const why = isAnonymous ? anonymous : startFirst;
    const markup = isAnonymous ? undefined : new InlineKeyboard().url(startButton, url);
    await chat.send(whereAsked(origin), { tone: 'info', lines: [why] }, waitingOf(origin), { markup });
  };

  return {
    /** Decides where an answer goes. */
    async wayOf(answer: NewMessageReply, origin: ReplyOrigin): Promise<Way> {
      const { place, ephemeral, pressed, working } = origin;
      const waiting = waitingOf(origin, answer.kind === 'card' ? Number.POSITIVE_INFINITY : undefined);
      const to = answer.audience === 'caller' && !place.direct ? 'private' : 'chat';
      const inPlaceOf = working ?? (answer.replaces ? pressed : undefined);
      if (isLasting(answer)) return { inPlaceOf, to, waiting };
      // A press can be answered by an edit later than Telegram allows a new message; if both fail, the answer is private.
      if (ephemeral !== undefined) {
        const own = pressed && isEphemeral(pressed) ? pressed : undefined;
        return { inPlaceOf: inPlaceOf ?? own, alone: ephemeral, to: 'private', waiting };
      }
      const isRefusal = answer.view.tone === 'failed';
      return { inPlaceOf, alone: isRefusal ? await asAdministrator(origin) : undefined, to, waiting };
    },
    /** Sends the answer as a new message; undefined if the bot cannot write to the person, which the group is then told. */
    async send(
      view: View,
      origin: ReplyOrigin,
      { alone, inPlaceOf, to, waiting }: Way,
    ): Promise<Card | undefined> {
      const shown = alone && (await sendAlone(view, origin, alone));
      if (shown !== undefined) return shown;
      if (to === 'chat') return (await chat.send(whereAsked(origin), view, waiting)).card;
      const told = await sendPrivately(view, origin, waiting);
      if (told !== undefined) return told;
      // If it is too late for a new ephemeral message, the existing one is edited, but without the picture.
      const { media: _, ...bare } = view;
      if (alone !== undefined && inPlaceOf !== undefined && isEphemeral(inPlaceOf))
        return (await chat.replace(inPlaceOf, bare, waiting)).card;
      await refusePrivate(origin);
      return undefined;
    },
    /**
     * Announces that the answer takes longer: in the place that the desk names, or ephemerally while Telegram allows that.
     * An announcement that would have to wait itself is not sent.
     */
    async working(origin: ReplyOrigin, said?: Meanwhile): Promise<Card | undefined> {
      const { place, ephemeral, pressed } = origin;
      const view = said?.view ?? { tone: 'busy', lines: [telegramWords(origin).working] };
      const waiting = waitingOf(origin, 0);
      if (said?.replaces && pressed !== undefined) return (await chat.replace(pressed, view, waiting)).card;
      if (ephemeral !== undefined) return await sendAlone(view, origin, ephemeral);
      if (said?.audience === 'caller' && !place.direct) return await sendPrivately(view, origin, waiting);
      return (await chat.send(whereAsked(origin), view, waiting)).card;
    },
    /**
     * Shows a view to the person alone, in the group or in private. An app that is too old does not show an ephemeral
     * message. Without an alert, which every app shows, a refusal is therefore told to everybody rather than to nobody; any
     * other view is sent ephemerally, in case the app knows such messages.
     */
    async tellAlone(
      view: View,
      origin: ReplyOrigin & { readonly ephemeral: Ephemeral },
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

export type Ways = ReturnType<typeof createWays>;
