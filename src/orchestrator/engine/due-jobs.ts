import type { Clock } from '../../base/clock.ts';

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
  readonly due: (now: number, limit: number) => readonly string[];
  readonly nextDue: (after: number) => number | undefined;
  /** Never rejects; false: it broke, and the record is as it was. */
  readonly step: (id: string) => Promise<boolean>;
  /** The due jobs could not be read; that is repeated after a pause. */
  readonly failed: (error: unknown) => void;
  /** Steps under way at once; a result in hand is megabytes. */
  readonly stepsAtOnce: number;
}

const REST_MS = 5_000;
/** Claimed with one query. */
const BATCH = 256;
/** Begun in one turn of the event loop, so that other work is not delayed. */
const BURST = 8;

/** The table's index on the due time is the queue; there is one timer, for the next due, however many jobs there are. */
export function createDueJobs({ clock, stepsAtOnce, ...work }: DueJobsOptions): DueJobs {
  const inHand = new Map<string, Promise<void>>();
  /** Found due while their step still runs: queried again afterwards. */
  const passedOver = new Set<string>();
  let ready: string[] = [];
  /** Before that, the table has nothing new that is due. */
  let wakeAt = 0;
  let timer: { readonly at: number; readonly cancel: () => void } | undefined;
  let later: (() => void) | undefined;
  let running = false;
  let pumping = false;

  const claim = (now: number): void => {
    const found = work.due(now, BATCH + inHand.size);
    ready = found.filter((id) => !inHand.has(id));
    for (const id of found) if (inHand.has(id)) passedOver.add(id);
    if (ready.length === 0) wakeAt = work.nextDue(now) ?? Number.POSITIVE_INFINITY;
  };

  const next = (): string | undefined => {
    const now = clock.now();
    if (ready.length === 0 && now >= wakeAt) claim(now);
    return ready.shift();
  };

  const release = (id: string): void => {
    inHand.delete(id);
    if (passedOver.delete(id)) wakeAt = 0;
    pump();
  };

  const begin = (id: string): void => {
    const step = work.step(id).then((ok) => {
      if (ok || !running) return release(id);
      // A step that could not save anything would be due again at once, endlessly.
      passedOver.add(id);
      clock.after(REST_MS, () => release(id));
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
        const id = next();
        if (id === undefined) break;
        if (!inHand.has(id)) begin(id);
      }
      if (ready.length === 0) setTimer();
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
      if (due <= clock.now()) pump();
      else if (running && ready.length === 0) setTimer();
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
