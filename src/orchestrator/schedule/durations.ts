import { cellOf, type Interval, type Lognormal } from './density.ts';
import { countLearnedJob, type Drift, detectChange, type Poll, updateDrift } from './drift.ts';
import { addScores, type Estimate, type EstimateState, estimate, rescore } from './estimate.ts';
import { type Hazard, hazardOf } from './hazard.ts';

/** The model of how long jobs of one kind take, and what it learns from each poll and each finished job. */

export type Output = 'image' | 'video';
/** The measured stages: a whole job, and its time in the queue and of running, where the service distinguishes them. */
type Stage = 'total' | 'queue' | 'run';
export type ByStage<T> = Record<Stage, T>;
const byStage = <T>(of: (stage: Stage) => T): ByStage<T> => ({
  total: of('total'),
  queue: of('queue'),
  run: of('run'),
});
type Bounds = { notBefore: number; by: number };
/**
 * An observed job, in milliseconds since its submission: when it was last seen unfinished and first seen finished, and, where
 * known, when it was last seen in the queue and first seen out of it.
 */
export type SeenJob = readonly [number, number] | readonly [number, number, number, number];

/** The model of how long jobs of one kind take: bounded plain data, stored as JSON. */
export type DurationModel = {
  kind: string;
  prior: Lognormal;
  /** The latest jobs that were polled as usual. */
  seen: readonly SeenJob[];
  beliefs: ByStage<EstimateState>;
  /** Jobs that were polled closely (scouts). They are kept far longer, because where polls are few only they show the shape. */
  scouts?: readonly SeenJob[];
  /** How many more jobs become scouts before only one in `SCOUT_ONE_IN` does. */
  scoutsWanted?: number;
  drift?: Drift;
  /** How often a change of all durations was detected. */
  moves?: number;
};

/** A finished job, between which two ages it finished. */
export type Observation = Bounds & {
  /** When the job was last seen waiting and first seen running (or finished), where the service distinguishes the two. */
  queuedUntil?: Bounds;
  submittedAt?: number;
};

/** Lookup tables derived from the observations. `staged` exists only where waiting and running are distinguished. */
export type DurationTables = { total: Hazard; staged: ByStage<Hazard> | undefined };

/** The assumption before anything is learned. It is wide, so that a service unlike the usual one is noticed soon. */
const PRIORS: Record<Output, Lognormal> = {
  image: { medianMs: 7_000, sigma: 0.8 },
  video: { medianMs: 80_000, sigma: 1 },
};
const MOST_SEEN = 300;
/**
 * The number of observations after which a weight has fallen to 1/e: slow enough for a good estimate, and old days still fade.
 */
const FADING = 250;
const MOST_SCOUTS = 100;
const SCOUT_ONE_IN = 100;
/** How many old scouts are kept, for the shape, after a change of all durations. */
const SHAPE_KEPT = 50;
const LONGEST_MS = 4 * 3_600_000;
const LEAST_STAGED = 10;

const priorsOf = (total: Lognormal): ByStage<Lognormal> => ({
  total,
  queue: { medianMs: total.medianMs / 4, sigma: 1 },
  run: { medianMs: total.medianMs * 0.75, sigma: total.sigma },
});

/** A model of a kind of job of which nothing has been observed. */
export const emptyModel = (kind: string, output: Output, prior = PRIORS[output]): DurationModel => ({
  kind,
  prior,
  seen: [],
  beliefs: byStage((stage) => ({ scores: [], fit: priorsOf(prior)[stage] })),
});

/** Whether so little is known that every job is a scout. */
export const isYoung = ({ scoutsWanted = MOST_SCOUTS }: DurationModel): boolean => scoutsWanted > 0;

/**
 * Whether a job is a scout. This is derived from its submission time, before anything is known of it, so that scouts are
 * typical of all jobs and each poll of a job gets the same answer.
 */
export function isScout(model: DurationModel, submittedAt: number | undefined): boolean {
  if (isYoung(model) || submittedAt === undefined) return isYoung(model);
  return (Math.imul(Math.round(submittedAt), 0x9e3779b1) >>> 0) % SCOUT_ONE_IN === 1;
}

/** Updates the model's drift detection with any poll of a job, finished or not. Durations are learned by `observe`. */
export function observePoll(model: DurationModel, poll: Poll): DurationModel {
  // No drift is detected yet: of the first jobs the quick ones finish first, so each slow one would look like a change.
  if (isYoung(model)) return model;
  const known = derived(model);
  const { total } = known.learned;
  const drift = updateDrift(model.drift ?? [], total, poll);
  const found = detectChange(drift, poll.submittedAt, total.medianMs / 2);
  if (found !== undefined) return adaptToChange(model, found.factor, found.lessons);
  const next = { ...model, drift };
  tables.set(next, known);
  return next;
}

/**
 * Adapts the model after all jobs have come to take `factor` times as long: recent observations stay as they are, and older
 * scouts are scaled to keep the shape.
 */
function adaptToChange(model: DurationModel, factor: number, lessons: number): DurationModel {
  const { scouts = [], seen, beliefs } = model;
  const before = Math.max(0, scouts.length + seen.length - lessons);
  const shape = scouts.slice(0, before).slice(-SHAPE_KEPT);
  return {
    ...model,
    scouts: shape.map((one) => scale(one, factor)),
    seen: [...scouts, ...seen].slice(before),
    beliefs: byStage((stage) => {
      const { scores, fit } = beliefs[stage];
      return { scores, fit: { ...fit, medianMs: fit.medianMs * factor } };
    }),
    drift: [],
    moves: (model.moves ?? 0) + 1,
  };
}

function scale(seen: SeenJob, factor: number): SeenJob {
  const from = Math.round(seen[0] * factor);
  const to = Math.round(seen[1] * factor);
  return seen.length === 2
    ? [from, to]
    : [from, to, Math.round(seen[2] * factor), Math.round(seen[3] * factor)];
}

/** Learns from a finished job. */
export function observe(model: DurationModel, observation: Observation): DurationModel {
  const seen = asSeen(observation);
  if (seen === undefined) return model;
  const { estimates } = derived(model);
  const beliefs = byStage((stage) => {
    const belief = model.beliefs[stage];
    const by = estimates[stage];
    const cells = cellsOf(stage, seen);
    return by === undefined || cells === undefined ? belief : rescore(belief, by, ...cells);
  });
  const next = { ...model, beliefs, drift: countLearnedJob(model.drift ?? []) };
  if (!isScout(model, observation.submittedAt))
    return { ...next, seen: [...model.seen, seen].slice(-MOST_SEEN) };
  const { scouts = [], scoutsWanted = MOST_SCOUTS } = model;
  return {
    ...next,
    scouts: [...scouts, seen].slice(-MOST_SCOUTS),
    scoutsWanted: Math.max(0, scoutsWanted - 1),
  };
}

/**
 * Merges what other processes have stored with what this process has learned (`own`) since it read `base` from the store.
 * Observations are compared by identity, because `own` was made from `base`.
 */
export function merge(stored: DurationModel | undefined, base: DurationModel, own: DurationModel) {
  if (stored === undefined) return own;
  const isMovedHere = own.moves !== base.moves;
  const isMoved = stored.moves !== base.moves;
  // This process has detected a change: what all processes learned before it is dropped, except for the shape that `own` has
  // kept.
  if (isMovedHere && !isMoved) return own;
  const known = new Set<SeenJob>([...base.seen, ...(base.scouts ?? [])]);
  const added = (list: readonly SeenJob[]): SeenJob[] => list.filter((one) => !known.has(one));
  const seen = added(own.seen);
  // After a change `own.scouts` are those of the old shape, not new observations.
  const scouts = isMovedHere ? [] : added(own.scouts ?? []);
  const lessons = seen.length + scouts.length;
  const beliefs = byStage((stage) =>
    isMoved || lessons === 0
      ? stored.beliefs[stage]
      : addScores(stored.beliefs[stage], base.beliefs[stage], own.beliefs[stage], lessons),
  );
  return {
    ...stored,
    beliefs,
    seen: [...stored.seen, ...seen].slice(-MOST_SEEN),
    scouts: [...(stored.scouts ?? []), ...scouts].slice(-MOST_SCOUTS),
    scoutsWanted: Math.max(0, (stored.scoutsWanted ?? MOST_SCOUTS) - scouts.length),
    // A suspicion is valid only for the model that it arose from.
    drift: isMoved ? [] : (own.drift ?? []),
  };
}

function asSeen({ notBefore, by, queuedUntil }: Observation): SeenJob | undefined {
  if (!Number.isFinite(notBefore) || Number.isNaN(by)) return undefined;
  const bound = (ms: number, least: number): number => Math.round(Math.min(LONGEST_MS, Math.max(least, ms)));
  const from = bound(notBefore, 0);
  const to = bound(by, from);
  if (queuedUntil === undefined) return [from, to];
  const queuedFrom = Math.min(from, bound(queuedUntil.notBefore, 0));
  return [from, to, queuedFrom, Math.min(to, bound(queuedUntil.by, queuedFrom))];
}

/** The cells in which a stage may have ended; undefined if the stages were not distinguished. */
function cellsOf(stage: Stage, seen: SeenJob) {
  const [from, to] = seen;
  if (stage === 'total') return [cellOf(from), cellOf(to)] as const;
  if (seen.length === 2) return undefined;
  const [, , queuedFrom, queuedTo] = seen;
  if (stage === 'queue') return [cellOf(queuedFrom), cellOf(queuedTo)] as const;
  return [cellOf(Math.max(0, from - queuedTo)), cellOf(to - queuedFrom)] as const;
}

type Derived = { estimates: Partial<ByStage<Estimate>>; learned: DurationTables };
/** Cache: tables are derived once for each model and garbage-collected with it. */
const tables = new WeakMap<DurationModel, Derived>();

/** The lookup tables of a model. */
export const durationTables = (model: DurationModel): DurationTables => derived(model).learned;

function derived(model: DurationModel): Derived {
  const known = tables.get(model);
  if (known !== undefined) return known;
  const fresh = derive(model);
  tables.set(model, fresh);
  return fresh;
}

function derive({ seen: recent, scouts = [], prior, beliefs }: DurationModel): Derived {
  const seen = [...scouts, ...recent];
  const estimated = (stage: Stage): Estimate => {
    const intervals = seen.flatMap((one, i): Interval[] => {
      const cells = cellsOf(stage, one);
      if (cells === undefined) return [];
      const newer = (i < scouts.length ? scouts.length : seen.length) - i - 1;
      return [{ first: cells[0], last: cells[1], weight: Math.exp(-newer / FADING) }];
    });
    return estimate(intervals, priorsOf(prior)[stage], beliefs[stage]);
  };
  // Separate stages help only where both were observed: for some kinds the service says `waiting` until the job is finished.
  const waited = seen.filter((one) => one.length === 4 && one[2] > 0).length;
  const ran = seen.filter((one) => one.length === 4 && one[3] < one[1]).length;
  if (Math.min(waited, ran) < LEAST_STAGED) {
    const total = estimated('total');
    return { estimates: { total }, learned: { total: hazardOf(total.density), staged: undefined } };
  }
  const estimates = byStage(estimated);
  const staged = byStage((stage) => hazardOf(estimates[stage].density));
  return { estimates, learned: { total: staged.total, staged } };
}
