import type { Hazard } from './hazard.ts';

/** Finds out that all jobs have become slower or faster. */

/** A poll of one job, which was unfinished at age `from`, and at age `to` either finished or not. */
export type Poll = { from: number; to: number; finished: boolean; submittedAt?: number | undefined };
/**
 * The suspicion that jobs have changed by one factor: the evidence so far, how many jobs were learned from meanwhile, and the
 * first submission that gave evidence.
 */
type Suspicion = { sum: number; lessons: number; since: number | null };
/** A suspicion for each factor; empty before the first poll. */
export type Drift = readonly Suspicion[];

/** The changes of duration that are tested for, as factors. */
const FACTORS = [1 / 3, 1 / 2, 2 / 3, 3 / 2, 2, 3];
/** The evidence, as a logarithm, at which a change counts as certain: a chance of one in 160,000. */
const CERTAIN = 12;
/**
 * Upper bound of the evidence of one job for a change, so that a few strange jobs do not make one. The bound against a change
 * is higher, to avoid a bias.
 */
const MOST_FOR = 2.5;
const MOST_AGAINST = 6;
const NO_SUSPICION: Suspicion = { sum: 0, lessons: 0, since: null };

/**
 * Page's test (CUSUM): sums up the logarithm of how much more likely each observation is if jobs now take `factor` times as
 * long, never below zero. A poll that finds a job unfinished is as much evidence as one that finds it done, and earlier: when
 * jobs become slower, nothing finishes for a while.
 */
export function updateDrift(drift: Drift, { survival }: Hazard, poll: Poll): Drift {
  const { from, to, finished, submittedAt: at = null } = poll;
  return FACTORS.map((factor, i) => {
    const { sum, lessons, since } = drift[i] ?? NO_SUSPICION;
    const unfinished = (age: number): number => ratio(survival(age / factor), survival(age));
    const said = finished
      ? ratio(survival(from / factor) - survival(to / factor), survival(from) - survival(to))
      : unfinished(to);
    const next = Math.min(2 * CERTAIN, sum + bounded(said) - bounded(unfinished(from)));
    if (!(next > 0)) return NO_SUSPICION;
    return { sum: next, lessons, since: since === null || at === null ? at : Math.min(since, at) };
  });
}

const ratio = (now: number, before: number): number => Math.log(Math.max(1e-9, now) / Math.max(1e-9, before));

/** Limits the evidence of one job. */
const bounded = (said: number): number => Math.max(-MOST_AGAINST, Math.min(MOST_FOR, said));

/** Counts a job that was learned from, for every suspicion that has evidence. */
export const countLearnedJob = (drift: Drift): Drift =>
  drift.map((one) => (one.sum > 0 ? { ...one, lessons: one.lessons + 1 } : one));

/**
 * The factor by which jobs have changed, if that is certain, and how many jobs were learned from since. Jobs that were
 * submitted together may have met the same mishap, so the evidence must come from submissions at least `apartMs` apart.
 */
export function detectChange(drift: Drift, at: number | undefined, apartMs: number) {
  let found: { factor: number; lessons: number } | undefined;
  let most = CERTAIN;
  for (const [i, { sum, since, lessons }] of drift.entries()) {
    if (sum <= most || (since !== null && at !== undefined && at - since <= apartMs)) continue;
    most = sum;
    found = { factor: FACTORS[i] ?? 1, lessons };
  }
  return found;
}
