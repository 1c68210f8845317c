/** Time as a parameter: the system's in production, a test's own in tests. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms`; the returned function calls it off. */
  after(ms: number, run: () => void): () => void;
  /**
   * When the time last lastForwardJump ahead (the clock was set right, or the machine slept); -Infinity when it never did. Whatever
   * began before that is younger than it seems.
   */
  lastForwardJump(): number;
}

/** Less is no matter to anybody who counts in minutes. */
const LEAP_MS = 60_000;
/** A clock that is wrong for a moment is put right within that: only what lasts is followed. */
const LASTING_MS = 60_000;

/** What the machine's clock shows, right or wrong, and how much time really passes. */
export const machineTime = { wall: Date.now, passed: () => performance.now() } as const;

/**
 * The time on the wall, except that it never runs backwards: when the machine's clock is set back it goes on from
 * where it was (until the next start), or everything that is due would wait for that time to come again. When it leaps
 * ahead, that is followed once it has lasted a minute.
 */
export const createSystemClock = (
  wall: () => number = machineTime.wall,
  passed: () => number = machineTime.passed,
): Clock => {
  let began = wall() - passed();
  let lastForwardJump = Number.NEGATIVE_INFINITY;
  let ahead: { readonly begun: number; readonly since: number } | undefined;
  return {
    now() {
      const since = passed();
      const begun = wall() - since;
      if (begun <= began + LEAP_MS) {
        began = Math.max(began, begun);
        ahead = undefined;
      } else if (ahead === undefined || Math.abs(begun - ahead.begun) > LEAP_MS) ahead = { begun, since };
      else if (since - ahead.since >= LASTING_MS) {
        lastForwardJump = begun + since;
        began = begun;
        ahead = undefined;
      }
      return Math.floor(began + since);
    },
    lastForwardJump: () => lastForwardJump,
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
