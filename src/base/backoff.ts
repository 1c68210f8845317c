/**
 * Exponential backoff: the time to wait before the next attempt, which doubles with each failure (`failures` from 0), up to
 * `longestMs`.
 */
export const backoff = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30));

/** Like `backoff`, with random jitter, so that calls that failed together are not retried together. */
export const jitteredBackoff = (
  failures: number,
  random: number,
  firstMs: number,
  longestMs: number,
): number => firstMs / 2 + random * backoff(failures, firstMs, longestMs);
