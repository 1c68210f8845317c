import { afterMeanwhile, type Meanwhile, type Reply } from '../command/reply.ts';
import type { Log } from '../log/log.ts';

/** For one event: `show` is given to the desk, and what it shows comes before the answer, whose place it keeps. */
export function createMeanwhile(draw: (shown: Meanwhile) => Promise<unknown>, log: Pick<Log, 'debug'>) {
  let shown: Meanwhile | undefined;
  let drawing: Promise<unknown> = Promise.resolve();
  return {
    show(view: Meanwhile): void {
      // What is handled once more after a lost connection says it once.
      if (shown !== undefined) return;
      shown = view;
      drawing = draw(view).catch((error: unknown) =>
        log.debug({ err: error }, 'that an answer takes longer could not be shown'),
      );
    },
    /** The answer as it is to be shown, once it can be. */
    async followedBy<R extends Reply | undefined>(reply: R): Promise<R | Reply> {
      await drawing;
      return reply && afterMeanwhile(reply, shown);
    },
  };
}
