/** Time as a parameter: the system's in production, a test's own in tests. */
export interface Clock {
  now(): number;
  /** Calls `run` once after `ms`; the returned function calls it off. */
  after(ms: number, run: () => void): () => void;
}

/**
 * The time on the wall, except that it never runs backwards: when the machine's clock is set back it goes on from
 * where it was (until the next start), or everything that is due would wait for that time to come again.
 */
export const createSystemClock = (
  wall: () => number = Date.now,
  passed: () => number = () => performance.now(),
): Clock => {
  let began = Number.NEGATIVE_INFINITY;
  return {
    now() {
      const since = passed();
      began = Math.max(began, wall() - since);
      return Math.floor(began + since);
    },
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
