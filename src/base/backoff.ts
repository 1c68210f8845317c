/** How long to wait before the next try: doubled with each failed one (`failures` from 0), up to `longestMs`. */
export const backoff = (failures: number, firstMs: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30));

/** The same, drawn at random: those that failed together come back apart. */
export const jitteredBackoff = (
  failures: number,
  random: number,
  firstMs: number,
  longestMs: number,
): number => firstMs / 2 + random * backoff(failures, firstMs, longestMs);
