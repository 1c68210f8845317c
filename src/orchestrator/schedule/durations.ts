import { cellOf, type Interval, type Lognormal } from './density.ts';
import { type Drift, type Poll, recordLesson, shift, updateDrift } from './drift.ts';
import { type Belief, type Estimate, estimate, rescore, untried } from './estimate.ts';
import { type Hazard, hazardOf } from './hazard.ts';

export type Output = 'image' | 'video';
type Bounds = { notBefore: number; by: number };
/** Milliseconds since submission: last seen unfinished, first seen finished; and the same for leaving the queue. */
export type Seen = readonly [number, number] | readonly [number, number, number, number];

/** How long jobs of one kind take: plain data, bounded, to be stored as JSON. */
export type DurationModel = {
  kind: string;
  prior: Lognormal;
  seen: readonly Seen[];
  beliefs: { total: Belief; queue: Belief; run: Belief };
  /** Jobs that were polled closely; kept far longer, because they alone show the shape where polls are few. */
  scouts?: readonly Seen[];
  /** How many more jobs are to be polled closely before only a few are. */
  scoutsWanted?: number;
  drift?: Drift;
  /** How often all have become slower or faster. */
  moves?: number;
};

export type Observation = Bounds & {
  /** Last seen waiting and first seen running (or finished), where the service distinguishes the two. */
  queuedUntil?: Bounds;
  submittedAt?: number;
};

/** What the observations say, ready for lookups. `staged` only where waiting and running are distinguished. */
export type Learned = { total: Hazard; staged: { total: Hazard; queue: Hazard; run: Hazard } | undefined };

/** Before anything is learned: wide, because a service unlike the usual one should not have to wait to be noticed. */
const PRIORS: Record<Output, Lognormal> = {
  image: { medianMs: 7_000, sigma: 0.8 },
  video: { medianMs: 80_000, sigma: 1 },
};
export const MOST_SEEN = 300;
/** Observations until a weight falls to a third: slow enough for a good estimate, and old days still fade. */
const FADING = 250;
export const MOST_SCOUTS = 100;
const SCOUT_ONE_IN = 100;
/** What is kept of the old shape when all have become slower or faster. */
const SHAPE_KEPT = 50;
const LONGEST_MS = 4 * 3_600_000;
const LEAST_STAGED = 10;

const queuePrior = ({ medianMs }: Lognormal): Lognormal => ({ medianMs: medianMs / 4, sigma: 1 });

const runPrior = ({ medianMs, sigma }: Lognormal): Lognormal => ({ medianMs: medianMs * 0.75, sigma });

function noBeliefs(prior: Lognormal): DurationModel['beliefs'] {
  return {
    total: untried(prior),
    queue: untried(queuePrior(prior)),
    run: untried(runPrior(prior)),
  };
}

export const emptyModel = (kind: string, output: Output, prior = PRIORS[output]): DurationModel => ({
  kind,
  prior,
  seen: [],
  beliefs: noBeliefs(prior),
});

/** Little is known yet: every job is a scout. */
export const isYoung = ({ scoutsWanted = MOST_SCOUTS }: DurationModel): boolean => scoutsWanted > 0;

/** Chosen before anything is known of a job, so that scouts are typical of all; the same at each of its polls. */
export function isScout(model: DurationModel, submittedAt: number | undefined): boolean {
  if (isYoung(model) || submittedAt === undefined) return isYoung(model);
  return (Math.imul(Math.round(submittedAt), 0x9e3779b1) >>> 0) % SCOUT_ONE_IN === 1;
}

/** Any poll of a job, finished or not: whether all have become slower or faster. Learning is `observe`. */
export function polled(model: DurationModel, poll: Poll): DurationModel {
  // The quick ones among the first jobs are known first; until the slow ones are, each of those is a surprise.
  if (isYoung(model)) return model;
  const known = derived(model);
  const { total } = known.learned;
  const drift = updateDrift(model.drift ?? [], total, poll);
  const found = shift(drift, poll.submittedAt, total.medianMs / 2);
  if (found !== undefined) return moved(model, found.factor, found.lessons);
  const next = { ...model, drift };
  tables.set(next, known);
  return next;
}

/** All jobs take `factor` times as long: what was seen since is true, and of the rest the shape. */
function moved(model: DurationModel, factor: number, lessons: number): DurationModel {
  const { scouts = [], seen, beliefs } = model;
  const before = Math.max(0, scouts.length + seen.length - lessons);
  const shape = scouts.slice(0, before).slice(-SHAPE_KEPT);
  const scaled = ({ scores, fit }: Belief): Belief => ({
    scores,
    fit: { ...fit, medianMs: fit.medianMs * factor },
  });
  return {
    ...model,
    scouts: shape.map((one) => scale(one, factor)),
    seen: [...scouts, ...seen].slice(before),
    beliefs: { total: scaled(beliefs.total), queue: scaled(beliefs.queue), run: scaled(beliefs.run) },
    drift: [],
    moves: (model.moves ?? 0) + 1,
  };
}

function scale(seen: Seen, factor: number): Seen {
  const [from, to] = [Math.round(seen[0] * factor), Math.round(seen[1] * factor)];
  return seen.length === 2
    ? [from, to]
    : [from, to, Math.round(seen[2] * factor), Math.round(seen[3] * factor)];
}

/** A finished job: how long jobs take. */
export function observe(model: DurationModel, observation: Observation): DurationModel {
  const seen = asSeen(observation);
  if (seen === undefined) return model;
  const { estimates } = derived(model);
  const { total, queue, run } = model.beliefs;
  const beliefs = {
    total: rescore(total, estimates.total, ...cells(seen)),
    queue: estimates.queue ? rescoreBy(queue, estimates.queue, queueBounds(seen)) : queue,
    run: estimates.run ? rescoreBy(run, estimates.run, runBounds(seen)) : run,
  };
  const next = { ...model, beliefs, drift: recordLesson(model.drift ?? []) };
  if (!isScout(model, observation.submittedAt))
    return { ...next, seen: [...model.seen, seen].slice(-MOST_SEEN) };
  const { scouts = [], scoutsWanted = MOST_SCOUTS } = model;
  return {
    ...next,
    scouts: [...scouts, seen].slice(-MOST_SCOUTS),
    scoutsWanted: Math.max(0, scoutsWanted - 1),
  };
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

const cells = ([from, to]: readonly [number, number, ...number[]]): [number, number] => [
  cellOf(from),
  cellOf(to),
];

const queueBounds = (seen: Seen): [number, number] | undefined =>
  seen.length === 4 ? [seen[2], seen[3]] : undefined;

const runBounds = (seen: Seen): [number, number] | undefined =>
  seen.length === 4 ? [Math.max(0, seen[0] - seen[3]), seen[1] - seen[2]] : undefined;

const rescoreBy = (belief: Belief, by: Estimate, bounds: [number, number] | undefined): Belief =>
  bounds === undefined ? belief : rescore(belief, by, ...cells(bounds));

type Derived = { estimates: { total: Estimate; queue?: Estimate; run?: Estimate }; learned: Learned };
/** Tables are derived once for each model, and go when the model goes. */
const tables = new WeakMap<DurationModel, Derived>();

export const learned = (model: DurationModel): Learned => derived(model).learned;

function derived(model: DurationModel): Derived {
  const known = tables.get(model);
  if (known !== undefined) return known;
  const fresh = derive(model);
  tables.set(model, fresh);
  return fresh;
}

function derive({ seen: recent, scouts = [], prior, beliefs }: DurationModel): Derived {
  const seen = [...scouts, ...recent];
  const intervals = (
    bounds: (seen: Seen) => readonly [number, number, ...number[]] | undefined,
  ): Interval[] =>
    seen.flatMap((one, i) => {
      const found = bounds(one);
      if (found === undefined) return [];
      const [first, last] = cells(found);
      const newer = (i < scouts.length ? scouts.length : seen.length) - i - 1;
      return [{ first, last, weight: Math.exp(-newer / FADING) }];
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
