/** Time as a parameter: the system's in production, a test's own in tests. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms`; the returned function calls it off. */
  after(ms: number, run: () => void): () => void;
  /**
   * When the time last leapt ahead (the clock was set right, or the machine slept); -Infinity when it never did. Whatever
   * began before that is younger than it seems.
   */
  leapt(): number;
}

/** Less is no matter to anybody who counts in minutes. */
const LEAP_MS = 60_000;

/**
 * The time on the wall, except that it never runs backwards: when the machine's clock is set back it goes on from
 * where it was (until the next start), or everything that is due would wait for that time to come again.
 */
export const createSystemClock = (
  wall: () => number = Date.now,
  passed: () => number = () => performance.now(),
): Clock => {
  let began = wall() - passed();
  let leapt = Number.NEGATIVE_INFINITY;
  return {
    now() {
      const since = passed();
      const begun = wall() - since;
      if (begun > began + LEAP_MS) leapt = begun + since;
      began = Math.max(began, begun);
      return Math.floor(began + since);
    },
    leapt: () => leapt,
    after(ms, run) {
      // A timer cannot be set further than 2^31 - 1 ms: longer waits are the caller's to chain.
      const timer = setTimeout(run, Math.min(ms, 2_147_483_647));
      return () => clearTimeout(timer);
    },
  };
};

export const systemClock = createSystemClock();

export const sleep = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
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
