import type { Caller, Place } from '../../../command/place.ts';
import { isRefusal, type Meanwhile, type Reply } from '../../../command/reply.ts';
import type { AdapterOptions } from '../../adapter.ts';
import type { Card } from '../api/refs.ts';
import type { Answers } from '../outgoing/answers.ts';
import type { Questions } from '../outgoing/questions.ts';
import type { Origin } from '../outgoing/ways.ts';
import type { MessageContent } from './read-message.ts';

/** A message or album for the bot. `line`: its text, with people's ids for their names. */
export interface ReadMessage extends MessageContent {
  readonly caller: Caller;
  readonly place: Place;
  readonly line: () => Promise<string>;
}

/** Asks the desk what to reply to a message or an album; `undefined` means nothing. It never throws. */
export function createMessageReply(parts: AdapterOptions & { readonly questions: Questions }) {
  const { desk, questions, log } = parts;
  return async (
    incoming: ReadMessage,
    event: string,
    isNew: boolean,
    meanwhile: Working['say'],
  ): Promise<Reply | undefined> => {
    const words = parts.words(incoming.caller.locale);
    const refuse = (why: string): Reply => ({
      kind: 'message',
      audience: 'everyone',
      view: { tone: 'failed', lines: [why] },
    });
    const { caller, place, photos } = incoming;
    try {
      // The text after /start comes from a link that anybody could have made.
      const text = /^\/start(\s|$)/.test(incoming.text) ? '/help' : await incoming.line();
      if (incoming.tooLarge) return (await desk.turnAway(incoming)) ?? refuse(words.telegram.tooLarge);
      if (incoming.otherKind)
        return (await desk.turnAway(incoming)) ?? refuse(words.failure['photo-invalid']);
      if (place.direct && !text.startsWith('/')) {
        const elsewhere = await questions.place(caller);
        const reply =
          elsewhere && (await desk.text({ event, caller, place: elsewhere, meanwhile, text, photos }));
        // After a further question or an error they answer here again.
        if (reply && reply.kind !== 'ask' && !isRefusal(reply)) await questions.placeOver(caller);
        if (reply) return reply;
      }
      const reply = await desk.text({ event, isNew, caller, place, meanwhile, text, photos });
      // In a private chat every message is for the bot, and so is an ephemeral one.
      if (reply === undefined && (place.direct || incoming.ephemeral !== undefined) && text !== '')
        return { kind: 'message', audience: 'everyone', view: { tone: 'info', lines: [words.notes.hint] } };
      return reply;
    } catch (error) {
      log.error({ err: error, event }, 'handling a command failed');
      return refuse(words.somethingBroke);
    }
  };
}

/** An ephemeral answer must begin within 15 seconds of the command, part of which are over when it arrives. */
const WORKING_AFTER_MS = 5_000;
/** A process that takes over finds the message for so long. */
const WORKING_MS = 3_600_000;

/** What says that the answer to one event takes longer. */
export interface Working {
  /** The desk says so. */
  readonly say: (said: Meanwhile) => void;
  /** Begins to wait: an ephemeral answer that takes longer must be announced while Telegram allows it. */
  readonly announceSoon: () => void;
  readonly cancel: () => void;
  /** The message that was shown, in whose place the answer comes. */
  readonly shown: () => Promise<Card | undefined>;
  /** The answer is there. */
  readonly over: () => Promise<void>;
}

/** Says that an answer takes longer, once, whichever process gives it. */
export function createWorking({
  answers,
  clock,
  desk,
  log,
  state,
}: AdapterOptions & { readonly answers: Answers }) {
  return (
    origin: Origin,
    event: string,
    /** A process that died may have said it. */
    isRetaken: boolean,
    /** Throws if others may answer it by now. */
    assertOwn: () => void,
  ): Working => {
    const key = `telegram:working:${origin.caller.id}:${event}`;
    const tellNow = async (said?: Meanwhile): Promise<Card | undefined> => {
      const inLanguage = await desk.inLanguage(origin);
      assertOwn();
      const card = await answers.working(inLanguage, said);
      // If this fails, only a process that takes over answers beside it.
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
      over: async () => {
        if ((await shown) !== undefined) await state.delete(key);
      },
    };
  };
}
