import { cellOf, type Interval, type Lognormal, massBetween } from './density.ts';
import { type Belief, type Estimate, estimate, judged, untried } from './estimate.ts';
import { type Hazard, hazardOf } from './hazard.ts';

export type Family = 'image' | 'video';
type Bounds = { notBefore: number; by: number };
/** Milliseconds since submission: last seen unfinished, first seen finished; and the same for leaving the queue. */
type Seen = readonly [number, number] | readonly [number, number, number, number];
/** A running sum of surprise in one direction, since when, and over how many observations. */
type Drift = { sum: number; run: number; since: number | null };

/** How long jobs of one kind take: plain data, bounded, to be stored as JSON. */
export type DurationModel = {
  kind: string;
  prior: Lognormal;
  seen: readonly Seen[];
  beliefs: { total: Belief; queue: Belief; run: Belief };
  slower: Drift;
  faster: Drift;
};

export type Observation = Bounds & {
  /** Last seen waiting and first seen running (or finished), where the service tells the two apart. */
  queuedUntil?: Bounds;
  /** Lets a batch be told from a shift: of jobs submitted together the quick ones always finish first. */
  submittedAt?: number;
};

/** What the observations say, ready for lookups. `staged` only where waiting and running were told apart. */
export type Learned = { total: Hazard; staged: { total: Hazard; queue: Hazard; run: Hazard } | undefined };

/** Before anything is learned: wide, because a service unlike the usual one should not have to wait to be noticed. */
const PRIORS: Record<Family, Lognormal> = {
  image: { medianMs: 7_000, sigma: 0.8 },
  video: { medianMs: 80_000, sigma: 1 },
};
const MOST_SEEN = 300;
/** Observations until a weight falls to a third: slow enough for a good estimate, and old days still fade. */
const FADING = 250;
/** A change must be worth this many standard deviations in sum, beyond a slack for each observation. */
const SHIFT = 7;
const SLACK = 0.75;
const MOST_SURPRISE = 2.5;
const LONGEST_MS = 4 * 3_600_000;
const LEAST_STAGED = 10;

const still: Drift = { sum: 0, run: 0, since: null };
const queuePrior = ({ medianMs }: Lognormal): Lognormal => ({ medianMs: medianMs / 4, sigma: 1 });
const runPrior = ({ medianMs, sigma }: Lognormal): Lognormal => ({ medianMs: medianMs * 0.75, sigma });
const noBeliefs = (prior: Lognormal): DurationModel['beliefs'] => ({
  total: untried(prior),
  queue: untried(queuePrior(prior)),
  run: untried(runPrior(prior)),
});

export function emptyModel(kind: string, family: Family, prior = PRIORS[family]): DurationModel {
  return { kind, prior, seen: [], beliefs: noBeliefs(prior), slower: still, faster: still };
}

export function observe(model: DurationModel, observation: Observation): DurationModel {
  const seen = asSeen(observation);
  if (seen === undefined) return model;
  const { estimates, learned } = derived(model);
  const [first, last] = cells(seen);
  const density = estimates.total.density;
  const foretold = massBetween(density, 0, first - 1) + massBetween(density, first, last) / 2;
  const surprise = Math.log(Math.max(1e-9, foretold) / Math.max(1e-9, 1 - foretold)) / 1.7;
  const at = observation.submittedAt ?? null;
  const slower = drift(model.slower, Math.min(MOST_SURPRISE, surprise), at);
  const faster = drift(model.faster, Math.min(MOST_SURPRISE, -surprise), at);

  const shifted = [slower, faster].find((side) => isShift(side, at, learned.total.medianMs));
  if (shifted !== undefined) {
    // What came before the change no longer tells anything.
    const kept = [...model.seen, seen].slice(-Math.min(shifted.run, MOST_SEEN));
    return { ...model, seen: kept, beliefs: noBeliefs(model.prior), slower: still, faster: still };
  }
  const { total, queue, run } = model.beliefs;
  const beliefs = {
    total: judged(total, estimates.total, first, last),
    queue: estimates.queue ? judgedBy(queue, estimates.queue, queueBounds(seen)) : queue,
    run: estimates.run ? judgedBy(run, estimates.run, runBounds(seen)) : run,
  };
  return { ...model, seen: [...model.seen, seen].slice(-MOST_SEEN), beliefs, slower, faster };
}

function drift({ sum, run, since }: Drift, surprise: number, at: number | null): Drift {
  const next = Math.min(2 * SHIFT, sum + surprise - SLACK);
  if (next <= 0) return still;
  return { sum: next, run: run + 1, since: since === null || at === null ? at : Math.min(since, at) };
}

function isShift({ sum, since }: Drift, at: number | null, medianMs: number): boolean {
  return sum > SHIFT && (since === null || at === null || at - since > medianMs);
}

function asSeen({ notBefore, by, queuedUntil }: Observation): Seen | undefined {
  if (!Number.isFinite(notBefore) || Number.isNaN(by)) return undefined;
  const bound = (ms: number, least: number): number => Math.round(Math.min(LONGEST_MS, Math.max(least, ms)));
  const from = bound(notBefore, 0);
  const to = bound(by, from);
  if (queuedUntil === undefined || !Number.isFinite(queuedUntil.notBefore) || Number.isNaN(queuedUntil.by)) {
    return [from, to];
  }
  const queuedFrom = Math.min(from, bound(queuedUntil.notBefore, 0));
  return [from, to, queuedFrom, Math.min(to, bound(queuedUntil.by, queuedFrom))];
}

function cells([from, to]: readonly [number, number, ...number[]]): [number, number] {
  return [cellOf(from), cellOf(to)];
}

const queueBounds = (seen: Seen): [number, number] | undefined =>
  seen.length === 4 ? [seen[2], seen[3]] : undefined;
const runBounds = (seen: Seen): [number, number] | undefined =>
  seen.length === 4 ? [Math.max(0, seen[0] - seen[3]), seen[1] - seen[2]] : undefined;

function judgedBy(belief: Belief, by: Estimate, bounds: [number, number] | undefined): Belief {
  return bounds === undefined ? belief : judged(belief, by, ...cells(bounds));
}

type Derived = { estimates: { total: Estimate; queue?: Estimate; run?: Estimate }; learned: Learned };
/** Tables are derived once for each model, and go when the model goes. */
const tables = new WeakMap<DurationModel, Derived>();

export function learned(model: DurationModel): Learned {
  return derived(model).learned;
}

function derived(model: DurationModel): Derived {
  const known = tables.get(model);
  if (known !== undefined) return known;
  const fresh = derive(model);
  tables.set(model, fresh);
  return fresh;
}

function derive({ seen, prior, beliefs }: DurationModel): Derived {
  const intervals = (
    bounds: (seen: Seen) => readonly [number, number, ...number[]] | undefined,
  ): Interval[] =>
    seen.flatMap((one, i) => {
      const found = bounds(one);
      if (found === undefined) return [];
      const [first, last] = cells(found);
      return [{ first, last, weight: Math.exp((i + 1 - seen.length) / FADING) }];
    });
  const total = estimate(
    intervals((one) => one),
    prior,
    beliefs.total,
  );
  // Telling the two apart helps only where both are shown: some kinds say `waiting` until they are finished.
  const waited = seen.filter((one) => one.length === 4 && one[2] > 0).length;
  const ran = seen.filter((one) => one.length === 4 && one[3] < one[1]).length;
  const staged = Math.min(waited, ran) >= LEAST_STAGED;
  if (!staged)
    return { estimates: { total }, learned: { total: hazardOf(total.density), staged: undefined } };
  const queue = estimate(intervals(queueBounds), queuePrior(prior), beliefs.queue);
  const run = estimate(intervals(runBounds), runPrior(prior), beliefs.run);
  const hazards = {
    total: hazardOf(total.density),
    queue: hazardOf(queue.density),
    run: hazardOf(run.density),
  };
  return { estimates: { total, queue, run }, learned: { total: hazards.total, staged: hazards } };
}
