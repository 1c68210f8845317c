import { type Clock, sleep } from '../base/clock.ts';
import type { Members } from '../base/members/members.ts';
import type { Store } from '../store/tables/store.ts';

const PAUSE_MS = 250;
/** A restart of the database takes less; after it, waiting people get an error message. */
const LONGEST_MS = 10_000;

const MOST_TRIES = 3;

/** Runs `work` again after the connection to the store was lost and is back: its work must be repeatable. */
export type RetryAfterLoss = <T>(work: () => Promise<T>) => Promise<T>;

/** Waits for the connection to be back, once for all who wait, and tries again a few times. */
export function createRetryAfterLoss(
  { isConnectionLoss }: Pick<Store, 'isConnectionLoss'>,
  members: Pick<Members, 'isAlive'>,
  clock: Clock,
): RetryAfterLoss {
  const isBackInTime = async (): Promise<boolean> => {
    for (let waited = 0; waited < LONGEST_MS; waited += PAUSE_MS) {
      await sleep(clock, PAUSE_MS);
      if (members.isAlive()) return true;
    }
    return false;
  };
  /** One for all who wait. */
  let waiting: Promise<boolean> | undefined;
  const isBack = (): Promise<boolean> => {
    waiting ??= isBackInTime().finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
  return async (work) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (tries === MOST_TRIES || !isConnectionLoss(error) || !(await isBack())) throw error;
      }
    }
  };
}
