import { sleep } from '../../../base/clock.ts';
import { isFault } from '../api/fault.ts';
import type { TelegramParts } from '../api/options.ts';
import { Stopped } from '../incoming/update-inbox.ts';

/** The pauses between attempts; after the last one the work is given up. */
const PAUSES_MS = [500, 2_000, 8_000, 30_000];
/** The pauses during an outage. They are bounded, because each attempt may have taken effect without an answer. */
const OUTAGE_PAUSES_MS = [...PAUSES_MS, 60_000, 60_000, 60_000, 60_000, 60_000];
/** Pause between two checks whether an outage is over. */
const OUTAGE_MS = 30_000;
/** Telegram keeps undelivered updates for a day; answers are not worth waiting for longer. */
const LONGEST_OUTAGE_MS = 24 * 3_600_000;

/** Runs `work` until it succeeds, a bounded number of times; waits while Telegram is unreachable. */
export function createRetry(options: Pick<TelegramParts, 'api' | 'clock' | 'log' | 'stop'>) {
  const { api, clock, log, stop } = options;
  // Other calls, repeated while Telegram hangs, could take effect each time.
  const isReachable = async (): Promise<boolean> => {
    try {
      await api.getMe(stop);
      return true;
    } catch (error) {
      return !isFault(error, 'unreachable');
    }
  };
  const waitUntilReachable = async (): Promise<void> => {
    const until = clock.now() + LONGEST_OUTAGE_MS;
    while (!(await isReachable()) && clock.now() < until) await sleep(clock, OUTAGE_MS, stop);
  };
  /** One check of Telegram serves everybody who waits. */
  let outage: Promise<void> | undefined;
  const outageOver = (): Promise<void> => {
    outage ??= waitUntilReachable().finally(() => {
      outage = undefined;
    });
    return outage;
  };

  return async (work: () => Promise<void>): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Stopped || stop.aborted) throw new Stopped();
        const isOutage = isFault(error, 'unreachable');
        const pause = (isOutage ? OUTAGE_PAUSES_MS : PAUSES_MS)[attempt];
        if (pause === undefined) throw error;
        log.warn({ err: error, attempt: attempt + 1 }, 'handling failed; retrying');
        try {
          await sleep(clock, pause, stop);
          if (isOutage) await outageOver();
        } catch {
          throw new Stopped();
        }
      }
    }
  };
}

export type RetryUntilDone = ReturnType<typeof createRetry>;
