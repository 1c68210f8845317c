import type { Caller, Place } from '../../../command/place.ts';
import type { Reply } from '../../../command/reply.ts';
import type { AdapterOptions } from '../../adapter.ts';
import type { Card, Ephemeral } from '../api/refs.ts';
import type { Answers } from '../outgoing/answers.ts';
import type { Questions } from '../outgoing/questions.ts';
import type { MessageContent } from './read-message.ts';

/** A message or album for the bot. `line`: its text, with people's ids for their names. */
export interface ReadMessage extends MessageContent {
  readonly caller: Caller;
  readonly place: Place;
  readonly line: () => Promise<string>;
}

/** What the desk replies to a message or an album; undefined: nothing. Never throws. */
export function createMessageReply(parts: AdapterOptions & { readonly questions: Questions }) {
  const { desk, questions, log } = parts;
  return async (incoming: ReadMessage, event: string, isNew: boolean): Promise<Reply | undefined> => {
    const words = parts.words(incoming.caller.locale);
    const refuse = (why: string): Reply => ({ kind: 'message', view: { tone: 'failed', lines: [why] } });
    const { caller, place, photos } = incoming;
    try {
      // The text after /start comes from a link that anybody could have made.
      const text = /^\/start(\s|$)/.test(incoming.text) ? '/help' : await incoming.line();
      if (incoming.tooLarge) return (await desk.turnAway(incoming)) ?? refuse(words.telegram.tooLarge);
      if (incoming.otherKind)
        return (await desk.turnAway(incoming)) ?? refuse(words.failure['photo-invalid']);
      if (place.direct && !text.startsWith('/')) {
        const elsewhere = await questions.place(caller);
        const reply = elsewhere && (await desk.text({ event, caller, place: elsewhere, text, photos }));
        // After a further question or an error they answer here again.
        const isOver = reply?.kind !== 'ask' && !(reply?.kind === 'message' && reply.view.tone === 'failed');
        if (reply && isOver) await questions.placeOver(caller);
        if (reply) return reply;
      }
      const reply = await desk.text({ event, isNew, caller, place, text, photos });
      // In a private chat every message is for the bot, and so is an ephemeral one.
      if (reply === undefined && (place.direct || incoming.ephemeral !== undefined) && text !== '')
        return { kind: 'message', view: { tone: 'info', lines: [words.notes.hint] } };
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

/** Says after a while that an ephemeral answer takes longer, once, whichever process gives it. */
export function createWorking({
  answers,
  clock,
  desk,
  state,
}: AdapterOptions & { readonly answers: Answers }) {
  return (
    read: ReadMessage & { readonly ephemeral: Ephemeral },
    event: string,
    /** Throws if others may answer it by now. */
    assertOwn: () => void,
  ) => {
    const key = `telegram:working:${read.caller.id}:${event}`;
    const tell = async (): Promise<Card | undefined> => {
      const { caller } = await desk.inLanguage(read);
      assertOwn();
      const card = await answers.working({ ...read, caller });
      // If this fails, only a process that takes over answers beside it.
      if (card !== undefined) await state.set(key, card, WORKING_MS).catch(() => undefined);
      return card;
    };
    let shown = state.get<Card>(key).catch(() => undefined);
    const cancel = clock.after(WORKING_AFTER_MS, () => {
      shown = shown.then((before) => before ?? tell()).catch(() => undefined);
    });
    return {
      cancel,
      shown: (): Promise<Card | undefined> => {
        cancel();
        return shown;
      },
      over: async (): Promise<void> => {
        if ((await shown) !== undefined) await state.delete(key);
      },
    };
  };
}
