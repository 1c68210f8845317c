import { type Clock, sleep } from '../../../base/clock.ts';
import type { Log } from '../../../log/log.ts';
import { isFault } from '../api/fault.ts';
import { Stopped } from './intake.ts';

/** Between attempts; then it is given up. */
const PAUSES_MS = [500, 2_000, 8_000, 30_000];
/** During an outage. Bounded, because each attempt may have taken effect without an answer. */
const OUTAGE_PAUSES_MS = [...PAUSES_MS, 60_000, 60_000, 60_000, 60_000, 60_000];

/** Runs `work` until it succeeds, a bounded number of times; waits while Telegram is unreachable. */
export async function retryUntilDone(
  work: () => Promise<void>,
  options: {
    readonly clock: Clock;
    readonly log: Log;
    readonly stop: AbortSignal;
    readonly reachable: () => Promise<void>;
  },
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Stopped || options.stop.aborted) throw new Stopped();
      const isOutage = isFault(error, 'unreachable');
      const pause = (isOutage ? OUTAGE_PAUSES_MS : PAUSES_MS)[attempt];
      if (pause === undefined) throw error;
      options.log.warn({ err: error, attempt: attempt + 1 }, 'handling failed; retrying');
      try {
        await sleep(options.clock, pause, options.stop);
        if (isOutage) await options.reachable();
      } catch {
        throw new Stopped();
      }
    }
  }
}
