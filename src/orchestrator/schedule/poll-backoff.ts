export type FailedPoll = {
  /** Failed polls in a row, this one included. */
  attempt: number;
  floorMs: number;
  now: number;
  /** In [0, 1). */
  random: number;
  /** What the service asked for, if it did. */
  retryAfterMs?: number | undefined;
  /** Time to the next poll had this one succeeded. */
  normalInterval: number;
};

const LONGEST_RETRY_AFTER_MS = 60_000;
/** Long after its usual time a job is polled rarely, but not one that may have finished in an outage. */
const MOST_FLOORS = 5;

/**
 * A failed poll is a later poll. The wait doubles with each failure, up to the normal interval or five floors,
 * whichever is less (two floors at least), so that a result is seen that soon after an outage; and it is drawn
 * evenly from the whole range, so that jobs that failed together come back apart.
 */
export function afterFailedPoll(failed: FailedPoll): number {
  const { attempt, floorMs, now, random, retryAfterMs = 0, normalInterval } = failed;
  const doubled = floorMs * 2 ** Math.min(20, Math.max(1, attempt));
  const longest = Math.max(2 * floorMs, Math.min(normalInterval, doubled, MOST_FLOORS * floorMs));
  const asked = Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, retryAfterMs));
  const from = Math.max(floorMs, asked);
  return now + from + random * Math.max(longest - from, asked > 0 ? floorMs : 0);
}
