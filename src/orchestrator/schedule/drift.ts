import type { Hazard } from './hazard.ts';

/** A poll of one job: unfinished at age `from`, and at age `to` either finished or not. */
export type Poll = { from: number; to: number; finished: boolean; submittedAt?: number | undefined };
/** For one factor: evidence so far, lessons in the meantime, and the first submission that gave any. */
type Suspicion = { sum: number; lessons: number; since: number | null };
/** One for each factor; none before the first poll. */
export type Drift = readonly Suspicion[];

/** Jobs may come to take this many times as long as they did. */
const FACTORS = [1 / 3, 1 / 2, 2 / 3, 3 / 2, 2, 3];
/** In logarithms: a chance of one in a hundred and sixty thousand. */
const CERTAIN = 12;
/** The most that one job counts for a change: a few strange jobs are none. It counts more against one, to avoid a bias. */
const MOST_FOR = 2.5;
const MOST_AGAINST = 6;
const NO_SUSPICION: Suspicion = { sum: 0, lessons: 0, since: null };

/**
 * Page's test: the logarithm of how much likelier what was seen is if jobs now take a factor of what they took,
 * summed up, never below zero. A poll that finds a job unfinished says as much as one that finds it done, and
 * says it earlier: when jobs become slower, nothing finishes for a while.
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

/** All that one job says. */
const bounded = (said: number): number => Math.max(-MOST_AGAINST, Math.min(MOST_FOR, said));

/** A job has been learned from. */
export const recordLesson = (drift: Drift): Drift =>
  drift.map((one) => (one.sum > 0 ? { ...one, lessons: one.lessons + 1 } : one));

/**
 * The factor by which jobs have changed, and how many have been learned from since. Jobs submitted at one moment may
 * have met one mishap: the evidence must come from jobs further apart than that.
 */
export function shift(drift: Drift, at: number | undefined, apartMs: number) {
  let found: { factor: number; lessons: number } | undefined;
  let most = CERTAIN;
  for (const [i, { sum, since, lessons }] of drift.entries()) {
    if (sum <= most || (since !== null && at !== undefined && at - since <= apartMs)) continue;
    most = sum;
    found = { factor: FACTORS[i] ?? 1, lessons };
  }
  return found;
}
