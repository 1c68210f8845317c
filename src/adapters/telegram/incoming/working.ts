import type { AdapterOptions } from '../../adapter.ts';
import type { Card, Ephemeral } from '../api/refs.ts';
import type { Answers } from '../outgoing/answers.ts';
import type { ReadMessage } from './message-reply.ts';

/** An ephemeral answer must begin within 15 seconds of the command, part of which are over when it arrives. */
const WORKING_AFTER_MS = 5_000;
/** A process that takes over finds the message for so long. */
const WORKING_MS = 3_600_000;

/** Says after a while that an ephemeral answer takes longer, once, whichever process gives it. */
export function createWorking(
  options: Pick<AdapterOptions, 'clock' | 'desk' | 'state'> & { readonly answers: Answers },
) {
  const { answers, clock, desk, state } = options;
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
