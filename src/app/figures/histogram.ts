/** Counts of durations in buckets that grow by a quarter, so that a percentile is known to about a tenth over any time. */
const FIRST_MS = 10;
const PER_DOUBLING = 3;
/** About four days. */
const LAST = 75;

export function bucketOf(ms: number): number {
  if (!(ms > FIRST_MS)) return 0;
  return Math.min(LAST, Math.ceil(PER_DOUBLING * Math.log2(ms / FIRST_MS)));
}

/** The highest duration of a bucket. */
const boundOf = (bucket: number): number => FIRST_MS * 2 ** (bucket / PER_DOUBLING);

/** The duration that this share of all does not exceed; undefined: there are none. */
export function quantile(counts: ReadonlyMap<number, number>, share: number): number | undefined {
  const buckets = [...counts].filter(([, count]) => count > 0).sort(([one], [other]) => one - other);
  const wanted = share * buckets.reduce((all, [, count]) => all + count, 0);
  let passed = 0;
  for (const [bucket, count] of buckets) {
    passed += count;
    if (passed < wanted) continue;
    const within = 1 - (passed - wanted) / count;
    return Math.round(bucket === 0 ? FIRST_MS * within : boundOf(bucket - 1 + within));
  }
  return undefined;
}
