import {
  CELLS,
  EDGES_MS,
  fitLognormal,
  fitSmooth,
  type Interval,
  type Lognormal,
  lognormalDensity,
  massBetween,
} from './density.ts';

/** Discounted log scores of the three shapes: how well each foretold the observations before it saw them. */
type Scores = readonly [lognormal: number, smooth: number, sharp: number];
/** What is carried from one observation to the next, beside the observations. */
export type Belief = { scores: Scores; fit: Lognormal };
export type Estimate = {
  shapes: readonly [Float64Array, Float64Array, Float64Array];
  density: Float64Array;
  fit: Lognormal;
};

/** No shape is favoured before it has foretold anything. */
const UNTRIED: Scores = [0, 0, 0];
const SCORE_MEMORY = 0.99;
const LEAST_FOR_SHAPE = 10;
const TAIL_INDEX = 1.5;

export function untried(prior: Lognormal): Belief {
  return { scores: UNTRIED, fit: prior };
}

/** What is believed of a duration: the shapes weighted by how well they have foretold, and a heavy tail. */
export function estimate(
  intervals: readonly Interval[],
  prior: Lognormal,
  { scores, fit }: Belief,
): Estimate {
  const lognormal = fitLognormal(intervals, prior, fit);
  const plain = lognormalDensity(lognormal);
  const count = intervals.reduce((sum, { weight }) => sum + weight, 0);
  const bandwidth = 0.9 * lognormal.sigma * Math.max(1, count) ** -0.2;
  const enough = count >= LEAST_FOR_SHAPE;
  const smooth = enough ? fitSmooth(intervals, lognormal, bandwidth) : plain;
  const sharp = enough ? fitSmooth(intervals, lognormal, bandwidth * 0.25) : plain;

  const best = Math.max(...scores);
  const [a, b, c] = [Math.exp(scores[0] - best), Math.exp(scores[1] - best), Math.exp(scores[2] - best)];
  const tailShare = 1 / (count + 10);
  const density = heavyTail(lognormal.medianMs * Math.exp(1.65 * lognormal.sigma));
  for (let i = 0; i < CELLS; i++) {
    const mixed = (a * (plain[i] ?? 0) + b * (smooth[i] ?? 0) + c * (sharp[i] ?? 0)) / (a + b + c);
    density[i] = (1 - tailShare) * mixed + tailShare * (density[i] ?? 0);
  }
  return { shapes: [plain, smooth, sharp], density, fit: lognormal };
}

/** The belief after an observation that fell into these cells. */
export function judged(
  { scores }: Belief,
  { shapes, density, fit }: Estimate,
  first: number,
  last: number,
): Belief {
  // A little of the whole keeps one impossible observation from ruling a shape out for ever.
  const least = 0.02 * massBetween(density, first, last) + 1e-9;
  const after = (score: number, shape: Float64Array): number => {
    return SCORE_MEMORY * score + Math.log(0.98 * massBetween(shape, first, last) + least);
  };
  const [lognormal, smooth, sharp] = scores;
  const next = [after(lognormal, shapes[0]), after(smooth, shapes[1]), after(sharp, shapes[2])] as const;
  const best = Math.max(...next);
  return { scores: [next[0] - best, next[1] - best, next[2] - best], fit };
}

/** Pareto beyond what nineteen of twenty take: a job older than everything seen is still expected, ever less urgently. */
function heavyTail(fromMs: number): Float64Array {
  const survival = (ms: number): number => (ms <= fromMs ? 1 : (fromMs / ms) ** TAIL_INDEX);
  const density = new Float64Array(CELLS);
  for (let i = 0; i < CELLS; i++) density[i] = survival(EDGES_MS[i] ?? 0) - survival(EDGES_MS[i + 1] ?? 0);
  density[CELLS - 1] = (density[CELLS - 1] ?? 0) + survival(EDGES_MS[CELLS] ?? 0);
  return density;
}
