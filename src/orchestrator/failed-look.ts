export type FailedLook = {
  /** Failed looks in a row, this one included. */
  attempt: number;
  floorMs: number;
  now: number;
  /** In [0, 1). */
  random: number;
  /** What the service asked for, if it did. */
  retryAfterMs?: number | undefined;
  /** Time to the next look had this one succeeded. */
  normalInterval: number;
};

const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * A failed look is a later look. The wait doubles with each failure but never beyond the normal interval (or
 * twice the floor, where that is longer), so that the first look after an outage comes no later than it would
 * have without one; and it is drawn evenly from the whole range, so that jobs that failed together come back
 * apart.
 */
export function afterFailedLook(failed: FailedLook): number {
  const { attempt, floorMs, now, random, retryAfterMs = 0, normalInterval } = failed;
  const doubled = floorMs * 2 ** Math.min(20, Math.max(1, attempt));
  const longest = Math.max(2 * floorMs, Math.min(normalInterval, doubled));
  const asked = Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, retryAfterMs));
  const from = Math.max(floorMs, asked);
  return now + from + random * Math.max(longest - from, asked > 0 ? floorMs : 0);
}
