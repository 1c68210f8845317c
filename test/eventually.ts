/** The time for which a test waits in vain. A busy machine, as in CI, needs more than a developer who made a mistake wants to wait. */
export const patienceMs = Number(process.env.TEST_PATIENCE_SECONDS ?? 20) * 1_000;

/** The one way to wait in tests: asks again and again, until there is something to be found. */
export const eventually = async <T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
  what = `${find}`,
  seen: () => string = () => '',
  forMs = patienceMs,
): Promise<T> => {
  const start = Date.now();
  // Most of what is waited for comes within a moment, and some advance a clock each time; for the rest others need the processor.
  for (let pauseMs = 1; ; ) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    const waitedMs = Date.now() - start;
    pauseMs = Math.min(2 * pauseMs, Math.max(10, waitedMs / 200), 100);
    if (waitedMs > forMs) throw new Error(`waited in vain for ${what}${seen()}`);
    await new Promise((done) => setTimeout(done, pauseMs));
  }
};

/** Repeats `check` until it no longer throws; resolves with what it returns. */
export const holds = async <T>(check: () => T | Promise<T>, forMs = patienceMs): Promise<T> => {
  let reason: unknown;
  const attempt = async (): Promise<{ readonly value: T } | undefined> => {
    try {
      return { value: await check() };
    } catch (error) {
      reason = error;
      return undefined;
    }
  };
  const held = await eventually(attempt, 'an assertion', undefined, forMs).catch(() => {
    throw reason;
  });
  return held.value;
};
