import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';

export interface BatchErasureOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly more: (who: string, limit: number) => Promise<{ readonly jobs: number; readonly left: boolean }>;
  /** People whose data is not all removed yet. */
  readonly pending: () => Promise<readonly string[]>;
}

/** Some milliseconds of work. */
const BATCH = 50;
const BETWEEN_MS = 20;
const AFTER_FAILURE_MS = 5_000;
/** What another process has not removed in this time was left by it, or is so much that both can. */
const LOOK_MS = 5_000;

/** Removes a person's data in small batches, so that other work is not delayed. */
export function createBatchErasure({ clock, log, more, pending }: BatchErasureOptions) {
  const running = new Map<string, Promise<number>>();
  const batches = new Set<Promise<void>>();
  let seen: readonly string[] = [];
  let cancel = (): void => undefined;
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
        clock.after(pause, begin);
      };
      const begin = (): void => {
        const batch = next().finally(() => batches.delete(batch));
        batches.add(batch);
      };
      begin();
    });

  const run = (who: string): Promise<number> => {
    const before = running.get(who);
    // What was stored meanwhile is to go too, and the batch under way may not have seen it.
    const done = before === undefined ? erase(who) : before.then(async (jobs) => jobs + (await erase(who)));
    running.set(who, done);
    void done.then(() => {
      if (running.get(who) === done) running.delete(who);
    });
    return done;
  };
  const look = async (): Promise<void> => {
    const found = await pending();
    for (const who of found) if (seen.includes(who) && !running.has(who)) void run(who);
    seen = found;
  };
  const lookLater = (): void => {
    if (stopped) return;
    // What could not be read now is found the next time.
    cancel = clock.after(
      LOOK_MS,
      () =>
        void look()
          .catch(() => undefined)
          .then(lookLater),
    );
  };

  return {
    /** Removes the first batch at once. Resolves with the number of jobs at the end; never, once stopped. */
    run,
    /** Goes on with all that is pending, and from then on with what other processes leave. */
    async start(): Promise<void> {
      for (const who of await pending()) void run(who);
      lookLater();
    },
    /** Resolves when no batch is under way. */
    async stop(): Promise<void> {
      stopped = true;
      cancel();
      await Promise.all(batches);
    },
  };
}
