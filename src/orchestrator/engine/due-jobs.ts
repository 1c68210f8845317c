import type { Clock } from '../../base/clock.ts';
import type { DueJob } from '../job/records.ts';

/** Runs what is due: one step of each job, no more than so many at once. */
export interface DueJobs {
  start(): void;
  /** A job that is due then was stored. */
  expect(due: number): void;
  readonly inHand: number;
  /** Takes no more and waits for the steps in hand. */
  stop(): Promise<void>;
}

export interface DueJobsOptions {
  readonly clock: Clock;
  readonly due: (now: number, limit: number, after: Position) => readonly DueJob[];
  readonly nextDue: (after: number) => number | undefined;
  readonly dueVersion: (id: string, now: number) => number | undefined;
  /** Never rejects; false: it broke, and the record is as it was. */
  readonly step: (id: string) => Promise<boolean>;
  /** The due jobs could not be read; that is repeated after a pause. */
  readonly failed: (error: unknown) => void;
  /** Steps under way at once; a result in hand is megabytes. */
  readonly stepsAtOnce: number;
}

type Position = Pick<DueJob, 'due' | 'id'>;

const REST_MS = 5_000;
/** Claimed with one query. */
const BATCH = 256;
/** Begun in one turn of the event loop, so that other work is not delayed. */
const BURST = 8;

/**
 * The table's index on the due time is the queue; there is one timer, for the next due, however many jobs there are.
 * Every due job up to `cursor` is in `ready` or in hand; the others are read when these have been started.
 */
export function createDueJobs({ clock, stepsAtOnce, ...work }: DueJobsOptions): DueJobs {
  const inHand = new Map<string, Promise<void>>();
  /** The versions of the jobs to be started next. */
  const ready = new Map<string, number>();
  let cursor: Position = { due: Number.NEGATIVE_INFINITY, id: '' };
  /** Before that, nothing beyond the cursor is due. */
  let wakeAt = 0;
  let timer: { readonly at: number; readonly cancel: () => void } | undefined;
  let later: (() => void) | undefined;
  let running = false;
  let pumping = false;

  const claim = (now: number): void => {
    while (ready.size === 0 && now >= wakeAt) {
      const found = work.due(now, BATCH, cursor);
      if (found.length < BATCH) wakeAt = work.nextDue(now) ?? Number.POSITIVE_INFINITY;
      cursor = found.at(-1) ?? cursor;
      for (const { id, version } of found) if (!inHand.has(id)) ready.set(id, version);
    }
  };

  /** The version in which a job has to be stepped again; the same one as before: its step has changed nothing. */
  const dueAgain = (id: string, version: number): number | undefined => {
    try {
      return work.dueVersion(id, clock.now());
    } catch (error) {
      work.failed(error);
      return version;
    }
  };

  const release = (id: string, version: number | undefined): void => {
    inHand.delete(id);
    if (version !== undefined) ready.set(id, version);
    pump();
  };

  const begin = (id: string, version: number): void => {
    const step = work.step(id).then((ok) => {
      if (!running) return void inHand.delete(id);
      const again = ok ? dueAgain(id, version) : version;
      if (again !== version) return release(id, again);
      // It would be due again at once, endlessly.
      clock.after(REST_MS, () => release(id, version));
    });
    inHand.set(id, step);
  };

  const setTimer = (): void => {
    if (timer !== undefined && timer.at <= wakeAt) return;
    timer?.cancel();
    timer = undefined;
    if (wakeAt === Number.POSITIVE_INFINITY) return;
    const cancel = clock.after(Math.max(0, wakeAt - clock.now()), () => {
      timer = undefined;
      pump();
    });
    timer = { at: wakeAt, cancel };
  };

  const pump = (): void => {
    if (!running || pumping) return;
    pumping = true;
    try {
      for (let begun = 0; inHand.size < stepsAtOnce; begun += 1) {
        if (begun === BURST) {
          later ??= clock.after(0, () => {
            later = undefined;
            pump();
          });
          return;
        }
        claim(clock.now());
        const [next] = ready;
        if (next === undefined) {
          setTimer();
          return;
        }
        ready.delete(next[0]);
        begin(...next);
      }
    } catch (error) {
      work.failed(error);
      wakeAt = clock.now() + REST_MS;
      setTimer();
    } finally {
      pumping = false;
    }
  };

  return {
    start() {
      running = true;
      pump();
    },
    expect(due) {
      wakeAt = Math.min(wakeAt, due);
      if (due <= cursor.due) cursor = { due, id: '' };
      if (due <= clock.now()) pump();
      else if (running && ready.size === 0) setTimer();
    },
    get inHand() {
      return inHand.size;
    },
    async stop() {
      running = false;
      timer?.cancel();
      later?.();
      timer = undefined;
      later = undefined;
      await Promise.allSettled(inHand.values());
    },
  };
}
