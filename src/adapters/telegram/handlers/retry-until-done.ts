import { sleep } from '../../../base/clock.ts';
import { isFault } from '../api/fault.ts';
import type { TelegramDependencies } from '../api/options.ts';
import { Stopped } from '../incoming/update-inbox.ts';

/** The pauses between attempts; after the last one the retries end. */
const PAUSES_MS = [500, 2_000, 8_000, 30_000];
/** The pauses during an outage. The number of attempts is bounded, because each may have taken effect without an answer. */
const OUTAGE_PAUSES_MS = [...PAUSES_MS, 60_000, 60_000, 60_000, 60_000, 60_000];
/** The pause between two checks whether an outage is over. */
const OUTAGE_MS = 30_000;
/** The longest wait for the end of an outage: as long as Telegram keeps undelivered updates. */
const LONGEST_OUTAGE_MS = 24 * 3_600_000;

/**
 * Makes the function that runs `work` until it succeeds, with a bounded number of retries; waits while Telegram is
 * unreachable.
 */
export function createRetry(options: Pick<TelegramDependencies, 'api' | 'clock' | 'log' | 'stop'>) {
  const { api, clock, log, stop } = options;
  // The check is `getMe`, because any other call, repeated while Telegram hangs, could take effect each time.
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
  /** The wait for the end of an outage, which all updates share. */
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
