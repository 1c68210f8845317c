import type { Caller, Place } from '../../../command/place.ts';
import { isRefusal, type Meanwhile, type Reply } from '../../../command/reply.ts';
import { wordsFor } from '../../../words/words.ts';
import type { AdapterOptions } from '../../adapter.ts';
import type { Card } from '../api/refs.ts';
import type { Questions } from '../outgoing/questions.ts';
import type { ReplyOrigin, Ways } from '../outgoing/ways.ts';
import type { MessageContent } from './read-message.ts';

/** A message or album for the bot. `line` resolves with its text, in which ids replace the names of people. */
export interface ReadMessage extends MessageContent {
  readonly caller: Caller;
  readonly place: Place;
  readonly line: () => Promise<string>;
}

/**
 * Makes the function that asks the desk for the reply to a message or album; undefined means no reply. That function never
 * throws.
 */
export function createMessageReply(parts: AdapterOptions & { readonly questions: Questions }) {
  const { desk, questions, log } = parts;
  return async (
    incoming: ReadMessage,
    event: string,
    isNew: boolean,
    meanwhile: Working['say'],
  ): Promise<Reply | undefined> => {
    const words = wordsFor(incoming.caller.locale);
    const refuse = (why: string): Reply => ({
      kind: 'message',
      audience: 'everyone',
      view: { tone: 'failed', lines: [why] },
    });
    const { caller, place, photos } = incoming;
    try {
      // The text after /start is ignored, because it comes from a link that anybody could have made.
      const text = /^\/start(\s|$)/.test(incoming.text) ? '/help' : await incoming.line();
      if (incoming.tooLarge) return (await desk.turnAway(incoming)) ?? refuse(words.telegram.tooLarge);
      if (incoming.otherKind)
        return (await desk.turnAway(incoming)) ?? refuse(words.failure['photo-invalid']);
      if (place.direct && !text.startsWith('/')) {
        const elsewhere = await questions.place(caller);
        const reply =
          elsewhere && (await desk.text({ event, caller, place: elsewhere, meanwhile, text, photos }));
        // After a further question or an error, the person's next message in private is an answer for that group again.
        if (reply && reply.kind !== 'ask' && !isRefusal(reply)) await questions.forgetPlace(caller);
        if (reply) return reply;
      }
      const reply = await desk.text({ event, isNew, caller, place, meanwhile, text, photos });
      // Every message in a private chat is for the bot, and so is every ephemeral one, so they get at least a hint.
      if (reply === undefined && (place.direct || incoming.ephemeral !== undefined) && text !== '')
        return { kind: 'message', audience: 'everyone', view: { tone: 'info', lines: [words.notes.hint] } };
      return reply;
    } catch (error) {
      log.error({ err: error, event }, 'handling a command failed');
      return refuse(words.somethingBroke);
    }
  };
}

/**
 * An ephemeral answer that takes this long is announced: Telegram demands it within 15 seconds of the command, some of which
 * have passed.
 */
const WORKING_AFTER_MS = 5_000;
/** How long a process that takes over can find the announcement. */
const WORKING_MS = 3_600_000;

/** The announcement that the answer to one event takes longer. */
export interface Working {
  /** Shows the announcement; called by the desk. */
  readonly say: (said: Meanwhile) => void;
  /** Starts a timer that shows the announcement, because an ephemeral message must begin while Telegram allows it. */
  readonly announceSoon: () => void;
  /** Stops the timer of `announceSoon`. */
  readonly cancel: () => void;
  /** Stops the timer; resolves with the message that was shown, which the answer replaces. */
  readonly shown: () => Promise<Card | undefined>;
  /** Forgets the announcement, because the answer is shown. */
  readonly forget: () => Promise<void>;
}

/** Makes announcements that an answer takes longer; each is shown once, whichever process gives the answer. */
export function createWorking({ clock, desk, log, state, ways }: AdapterOptions & { readonly ways: Ways }) {
  return (
    origin: ReplyOrigin,
    event: string,
    /** Whether a process that died may have shown the announcement. */
    isRetaken: boolean,
    /** Throws if another process may answer the event by now. */
    assertOwn: () => void,
  ): Working => {
    const key = `telegram:working:${origin.caller.id}:${event}`;
    const tellNow = async (said?: Meanwhile): Promise<Card | undefined> => {
      const inLanguage = await desk.inLanguage(origin);
      assertOwn();
      const card = await ways.working(inLanguage, said);
      // If this fails, a process that takes over answers beside the announcement instead of in its place.
      if (card !== undefined) await state.set(key, card, WORKING_MS).catch(() => undefined);
      return card;
    };
    let shown = isRetaken
      ? state.get<Card>(key).catch(() => undefined)
      : Promise.resolve<Card | undefined>(undefined);
    const tell = (said?: Meanwhile): void => {
      shown = shown
        .then((before) => before ?? tellNow(said))
        .catch((error: unknown) => void log.debug({ err: error }, 'that an answer takes longer is not said'));
    };
    let cancel = (): void => undefined;
    return {
      say: tell,
      announceSoon: () => {
        cancel = clock.after(WORKING_AFTER_MS, () => tell());
      },
      cancel: () => cancel(),
      shown: () => {
        cancel();
        return shown;
      },
      forget: async () => {
        if ((await shown) !== undefined) await state.delete(key);
      },
    };
  };
}
