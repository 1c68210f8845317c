import {
  CELLS,
  EDGES_MS,
  fitSmooth,
  type Interval,
  type Lognormal,
  lognormalDensity,
  massBetween,
} from './density.ts';
import { fitLognormal, fitPair } from './lognormal-fit.ts';

/**
 * Discounted log scores of the shapes (lognormal, smooth, sharp, pair): how well each predicted the observations before it had
 * seen them. A shape without a score counts as equal to the best.
 */
type Scores = readonly number[];
/**
 * State that is carried from one observation to the next, besides the observations. `fit`: the latest lognormal, where its next
 * fit starts.
 */
export type EstimateState = { scores: Scores; fit: Lognormal };
/**
 * An estimate of a duration. `shapes`: the density of each shape, in the order of the scores. `density`: their weighted sum
 * with the tail.
 */
export type Estimate = {
  shapes: readonly Float64Array[];
  density: Float64Array;
  fit: Lognormal;
};

const SCORE_MEMORY = 0.99;
const LEAST_FOR_SHAPE = 10;
const TAIL_INDEX = 1.5;

/** Estimates the density of a duration: the shapes, weighted by how well each has predicted, and a heavy tail. */
export function estimate(intervals: readonly Interval[], prior: Lognormal, { scores, fit }: EstimateState) {
  const lognormal = fitLognormal(intervals, prior, fit);
  const plain = lognormalDensity(lognormal);
  const count = intervals.reduce((sum, { weight }) => sum + weight, 0);
  const bandwidth = 0.9 * lognormal.sigma * Math.max(1, count) ** -0.2;
  const enough = count >= LEAST_FOR_SHAPE;
  const smooth = enough ? fitSmooth(intervals, lognormal, bandwidth) : plain;
  const sharp = enough ? fitSmooth(intervals, lognormal, bandwidth * 0.25) : plain;

  const shapes = [plain, smooth, sharp, enough ? fitPair(intervals, sharp) : plain];
  const weights = shapes.map((_, k) => Math.exp(scores[k] ?? 0));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const tailShare = 1 / (count + 10);
  const density = heavyTail(lognormal.medianMs * Math.exp(1.65 * lognormal.sigma));
  for (let i = 0; i < CELLS; i++) {
    let mixed = 0;
    for (let k = 0; k < shapes.length; k++) mixed += (weights[k] ?? 0) * (shapes[k]?.[i] ?? 0);
    density[i] = ((1 - tailShare) * mixed) / whole + tailShare * (density[i] ?? 0);
  }
  return { shapes, density, fit: lognormal };
}

/** Updates the scores after an observation that fell into these cells. */
export function rescore(
  { scores }: EstimateState,
  { shapes, density, fit }: Estimate,
  first: number,
  last: number,
) {
  // A small part of the mixed density keeps one nearly impossible observation from excluding a shape for ever.
  const least = 0.02 * massBetween(density, first, last) + 1e-9;
  const next = shapes.map((shape, k) => {
    const foretold = 0.98 * massBetween(shape, first, last) + least;
    return SCORE_MEMORY * (scores[k] ?? 0) + Math.log(foretold);
  });
  const best = Math.max(...next);
  return { scores: next.map((score) => score - best), fit };
}

/**
 * Applies to `stored` the change of scores from `base` to `own`, made by so many observations. Only differences between scores
 * matter.
 */
export function addScores(
  stored: EstimateState,
  base: EstimateState,
  own: EstimateState,
  observations: number,
): EstimateState {
  if (own === base) return stored;
  const faded = SCORE_MEMORY ** observations;
  const added = own.scores.map(
    (score, k) => score + faded * ((stored.scores[k] ?? 0) - (base.scores[k] ?? 0)),
  );
  const best = Math.max(...added);
  return { scores: added.map((score) => score - best), fit: own.fit };
}

/**
 * A Pareto tail beyond the 95th percentile: a job older than every observation is still expected to finish, ever less urgently.
 */
function heavyTail(fromMs: number): Float64Array {
  const survival = (ms: number): number => (ms <= fromMs ? 1 : (fromMs / ms) ** TAIL_INDEX);
  const density = new Float64Array(CELLS);
  for (let i = 0; i < CELLS; i++) density[i] = survival(EDGES_MS[i] ?? 0) - survival(EDGES_MS[i + 1] ?? 0);
  density[CELLS - 1] = (density[CELLS - 1] ?? 0) + survival(EDGES_MS[CELLS] ?? 0);
  return density;
}
