export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The clocks of processes on one store differ by less: what one of them must not do before a moment leaves so much time to the others. */
export const CLOCKS_APART_MS = MINUTE_MS;

/**
 * Whether a stored moment is less than this time ago. One that lies ahead came from another clock: by a little, it was just now; by
 * more than this time, that clock was wrong, and what follows from it must not last until then.
 */
export const isWithin = (ms: number, at: number, now: number): boolean => Math.abs(now - at) < ms;

/** Time as a parameter: the system clock in production, a fake one in tests. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms`; the returned function cancels it. */
  after(ms: number, run: () => void): () => void;
  /**
   * When the clock last jumped ahead (it was corrected, or the machine slept); -Infinity if it never did. Anything that
   * began before is younger than it seems.
   */
  lastForwardJump(): number;
}

/** Smaller jumps do not matter. */
const JUMP_MS = 60_000;
/** A jump is followed only if it lasts this long: a briefly wrong clock is corrected by then. */
const LASTING_MS = 60_000;

/** The machine's wall clock, which may be wrong, and its monotonic clock. */
export const machineTime = { wall: Date.now, passed: () => performance.now() } as const;

/**
 * Wall-clock time that never runs backwards: when the machine's clock is set back it continues from where it was (until
 * the next start), or everything that is due would wait. A jump ahead is followed once it has lasted a minute.
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

export const systemClock = createSystemClock();

/** Does `work` once ready answers are sent: on an idle connection undici sends in the next turn of the event loop. */
export const afterAnswers = (work: () => void): void => void setImmediate(() => setImmediate(work));

/** What `work` resolves to, or undefined after `ms`; the work itself goes on. */
export function waitAtMost<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    work.then(resolve, reject).finally(cancel);
  });
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** What `work` resolves to; rejects as soon as the signal is aborted, and the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

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

/** Aborts the work after `ms` and stops waiting for it. */
export function within<T>(clock: Clock, ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
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

/** Calls `run` once, at the earliest of the times that it is set to. */
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

/** Does `work`, which never rejects, again and again: each time `ms` after it has ended, or after as many as it returned. */
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
    /** Resolves when it is not under way any more. */
    stop(): Promise<void> {
      cancel?.();
      cancel = undefined;
      return latest;
    },
  };
}
