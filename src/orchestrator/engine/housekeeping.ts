import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';

export interface HousekeepingOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Removes a small batch of what has expired; says whether more is left. */
  readonly sweep: () => Promise<boolean>;
  /** Writes down what was learned. */
  readonly save: () => Promise<void>;
}

const EVERY_MS = 60_000;
/** Between two batches, so that other work is not delayed. */
const NEXT_BATCH_MS = 50;

export function createHousekeeping({ clock, log, sweep, save }: HousekeepingOptions) {
  let cancel: (() => void) | undefined;
  let latest = Promise.resolve();

  const round = async (): Promise<void> => {
    let more = false;
    try {
      more = await sweep();
      await save();
    } catch (error) {
      log.warn({ err: error }, 'housekeeping failed; retrying');
    }
    if (cancel !== undefined) plan(more ? NEXT_BATCH_MS : EVERY_MS);
  };
  const plan = (ms: number): void => {
    cancel = clock.after(ms, () => {
      latest = round();
    });
  };

  return {
    // Soon, because re-encryption after a key change begins here.
    start: (): void => plan(NEXT_BATCH_MS),
    /** Resolves when no round is under way. */
    stop(): Promise<void> {
      cancel?.();
      cancel = undefined;
      return latest;
    },
  };
}
