import { inPlaceOfMeanwhile, type Meanwhile, type Reply } from '../command/reply.ts';
import type { Log } from '../log/log.ts';

/**
 * For one event: the desk calls `show` to say that the answer takes longer, and the answer then takes the place of that
 * message.
 */
export function createMeanwhile(draw: (shown: Meanwhile) => Promise<unknown>, log: Pick<Log, 'debug'>) {
  let shown: Meanwhile | undefined;
  let drawing: Promise<unknown> = Promise.resolve();
  return {
    show(view: Meanwhile): void {
      // The desk calls this again when it repeats an event after a lost connection to the store.
      if (shown !== undefined) return;
      shown = view;
      drawing = draw(view).catch((error: unknown) =>
        log.debug({ err: error }, 'that an answer takes longer could not be shown'),
      );
    },
    /** Waits until the message of `show` is drawn, and returns the reply as it is to be shown after that message. */
    async followedBy<R extends Reply | undefined>(reply: R): Promise<R | Reply> {
      await drawing;
      return reply && inPlaceOfMeanwhile(reply, shown);
    },
  };
}
