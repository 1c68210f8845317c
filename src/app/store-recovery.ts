import { type Clock, sleep } from '../base/clock.ts';
import type { Members } from '../base/members.ts';
import type { Store } from '../store/records/store.ts';

const PAUSE_MS = 250;
/** A restart of the database takes less; people who wait for an answer are told after it. */
const LONGEST_MS = 10_000;

/** After an error: whether only the connection to the store was lost and is back now, so that the same can be tried again. */
export function createStoreRecovery(
  { isConnectionLoss }: Pick<Store, 'isConnectionLoss'>,
  { isAlive }: Pick<Members, 'isAlive'>,
  clock: Clock,
) {
  const wait = async (): Promise<boolean> => {
    for (let waited = 0; waited < LONGEST_MS; waited += PAUSE_MS) {
      await sleep(clock, PAUSE_MS);
      if (isAlive()) return true;
    }
    return false;
  };
  let waiting: Promise<boolean> | undefined;
  return async (error: unknown): Promise<boolean> => {
    if (!isConnectionLoss?.(error)) return false;
    waiting ??= wait().finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
}
