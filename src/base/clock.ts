export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/**
 * Upper bound of the difference between the clocks of processes that share a store. A process that must not do something before
 * a moment leaves this much time to the others.
 */
export const CLOCKS_APART_MS = MINUTE_MS;

/**
 * Whether a stored moment is less than this time ago. A moment in the future came from another clock: if it is only a little
 * ahead, it counts as just now; if it is further ahead, that clock was wrong, and its effects must not last until then.
 */
export const isWithin = (ms: number, at: number, now: number): boolean => Math.abs(now - at) < ms;

/** Time as a parameter: the system clock in production, a fake one in tests. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
  /**
   * When the clock last jumped forward (it was corrected, or the machine slept); -Infinity if never. Anything that began before
   * is younger than it seems.
   */
  lastForwardJump(): number;
}

/** Smaller jumps of the clock are ignored. */
const JUMP_MS = 60_000;
/** A forward jump is followed only if it lasts this long: a briefly wrong clock is corrected by then. */
const LASTING_MS = 60_000;

/** The machine's wall clock, which may be wrong, and its monotonic clock. */
export const machineTime = { wall: Date.now, passed: () => performance.now() } as const;

/**
 * Creates a wall clock that never runs backwards: when the machine's clock is set back, this one continues from where it was
 * (until the next start), because otherwise everything that is due would wait. A forward jump is followed once it has lasted a
 * minute.
 */
export function createSystemClock(
  wall: () => number = machineTime.wall,
  passed: () => number = machineTime.passed,
): Clock {
  let began = wall() - passed();
  let lastForwardJump = Number.NEGATIVE_INFINITY;
  let ahead: { readonly begun: number; readonly since: number } | undefined;
  return {
    now() {
      const since = passed();
      const begun = wall() - since;
      if (begun <= began + JUMP_MS) {
        began = Math.max(began, begun);
        ahead = undefined;
      } else if (ahead === undefined || Math.abs(begun - ahead.begun) > JUMP_MS) ahead = { begun, since };
      else if (since - ahead.since >= LASTING_MS) {
        lastForwardJump = begun + since;
        began = begun;
        ahead = undefined;
      }
      return Math.floor(began + since);
    },
    lastForwardJump: () => lastForwardJump,
    after(ms, run) {
      // Timers are limited to 2^31 - 1 ms; callers chain longer waits.
      const timer = setTimeout(run, Math.min(ms, 2_147_483_647));
      return () => clearTimeout(timer);
    },
  };
}

/** The clock of this process. */
export const systemClock = createSystemClock();

/**
 * Runs `work` after answers that are ready were sent: on an idle connection undici sends in the next turn of the event loop.
 */
export const afterAnswersAreSent = (work: () => void): void => void setImmediate(() => setImmediate(work));

/** Waits for `work` at most `ms`, then resolves with undefined; the work itself continues. */
export function waitAtMost<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    work.then(resolve, reject).finally(cancel);
  });
}

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Waits for `work`, but rejects as soon as the signal is aborted; the work itself continues. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Waits for `ms`; rejects as soon as the signal is aborted. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** A timeout: aborts the work after `ms` and stops waiting for it. */
export function withTimeout<T>(
  clock: Clock,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.after(ms, () => {
      const error = new Error(`Not finished within ${ms} ms.`);
      controller.abort(error);
      reject(error);
    });
    work(controller.signal).then(resolve, reject).finally(cancel);
  });
}

/** Creates a timer that calls `run` once, at the earliest of the times that it is set to. */
export function createAlarm(clock: Clock, run: () => void) {
  let next: { readonly at: number; readonly cancel: () => void } | undefined;
  const cancel = (): void => {
    next?.cancel();
    next = undefined;
  };
  return {
    set(at: number): void {
      if (next !== undefined && next.at <= at) return;
      cancel();
      const ring = (): void => {
        next = undefined;
        run();
      };
      next = { at, cancel: clock.after(Math.max(0, at - clock.now()), ring) };
    },
    cancel,
  };
}

/**
 * Repeats `work`, which must not reject: each run begins `ms` after the end of the one before, or after the time that that one
 * returned.
 */
export function createRepeat(clock: Clock, ms: number, work: () => unknown) {
  let cancel: (() => void) | undefined;
  let latest = Promise.resolve();
  const round = async (): Promise<void> => {
    const pauseMs = await work();
    if (cancel !== undefined) start(typeof pauseMs === 'number' ? pauseMs : ms);
  };
  const start = (firstMs = ms): void => {
    cancel = clock.after(firstMs, () => {
      latest = round();
    });
  };
  return {
    start,
    /** Stops repeating; resolves when no run is under way. */
    stop(): Promise<void> {
      cancel?.();
      cancel = undefined;
      return latest;
    },
  };
}
