import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';

export interface BatchErasureOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly more: (who: string, limit: number) => Promise<{ readonly jobs: number; readonly left: boolean }>;
}

/** Removes a person's data in small batches, so that other work is not delayed. */
export interface BatchErasure {
  /** Removes the first batch at once. Resolves with the number of jobs at the end; never, once stopped. */
  run(who: string): Promise<number>;
  stop(): void;
}

/** Some milliseconds of work. */
const BATCH = 50;
const BETWEEN_MS = 20;
const AFTER_FAILURE_MS = 5_000;

export function createBatchErasure({ clock, log, more }: BatchErasureOptions): BatchErasure {
  const running = new Map<string, Promise<number>>();
  let stopped = false;

  const erase = (who: string): Promise<number> =>
    new Promise((resolve) => {
      let count = 0;
      const next = async (): Promise<void> => {
        if (stopped) return;
        let pause = BETWEEN_MS;
        try {
          const { jobs, left } = await more(who, BATCH);
          count += jobs;
          if (!left) return resolve(count);
        } catch (error) {
          log.warn({ err: error }, "deleting a person's data failed; retrying");
          pause = AFTER_FAILURE_MS;
        }
        clock.after(pause, () => void next());
      };
      void next();
    });

  return {
    run(who) {
      const before = running.get(who);
      // What was stored meanwhile is to go too, and the batch under way may not have seen it.
      const done = before === undefined ? erase(who) : before.then(async (jobs) => jobs + (await erase(who)));
      running.set(who, done);
      void done.then(() => {
        if (running.get(who) === done) running.delete(who);
      });
      return done;
    },
    stop() {
      stopped = true;
    },
  };
}
