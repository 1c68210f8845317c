import { CELLS, cellOf, EDGES_MS } from './density.ts';

/**
 * Lookup tables of a density: survival, hazard rate, quantiles and the integrals that planning polls needs. Times are in ms.
 */
export type Hazard = ReturnType<typeof hazardOf>;

/** Ages that at most this part of jobs reaches are the tail. */
const RARE = 0.01;
/** In the tail the hazard does not fall below 1 / (this many medians), which bounds the interval between polls. */
const LONGEST_MEMORY = 8;

/** Computes the lookup tables of a density. */
export function hazardOf(density: Float64Array) {
  const hazard = new Float64Array(CELLS);
  const logSurvival = new Float64Array(CELLS + 1);
  const survival = new Float64Array(CELLS + 1).fill(1, 0, 1);
  const lifetime = new Float64Array(CELLS + 1);
  const pollIntensity = new Float64Array(CELLS + 1);
  let medianMs = 0;
  let pollsPerJob = 0;
  const remaining = suffixSum(density);
  let below = 1;
  for (let i = 0; i < CELLS; i++) {
    const start = EDGES_MS[i] ?? 0;
    const width = (EDGES_MS[i + 1] ?? 0) - start;
    const before = remaining[i] ?? 0;
    const after = remaining[i + 1] ?? 0;
    let rate = before > 0 && after > 0 ? Math.log(before / after) / width : 0;
    if (below < RARE || after === 0) rate = Math.max(rate, 1 / (LONGEST_MEMORY * (medianMs || start)));
    hazard[i] = rate;
    logSurvival[i + 1] = (logSurvival[i] ?? 0) - rate * width;
    pollIntensity[i + 1] = (pollIntensity[i] ?? 0) + Math.sqrt(rate) * width;
    const alive = Math.exp(logSurvival[i + 1] ?? 0);
    survival[i + 1] = alive;
    const average = (below + alive) / 2;
    lifetime[i + 1] = (lifetime[i] ?? 0) + average * width;
    pollsPerJob += average * Math.sqrt(rate) * width;
    if (medianMs === 0 && alive <= 0.5) medianMs = start + width / 2;
    below = alive;
  }
  const logSurvivalAt = (age: number): number => {
    const cell = cellOf(age);
    return (logSurvival[cell] ?? 0) - (hazard[cell] ?? 0) * (Math.max(0, age) - (EDGES_MS[cell] ?? 0));
  };
  return {
    medianMs,
    meanMs: lifetime[CELLS] ?? 0,
    /**
     * Integral of the square root of the hazard over all jobs still alive; the polls per job are this divided by sqrt(2 price).
     */
    pollsPerJob,
    /** The probability that a job is unfinished at this age. */
    survival: (age: number): number => Math.exp(logSurvivalAt(age)),
    /** The integral of survival from 0 to this age. */
    lifetime(age: number): number {
      const cell = cellOf(age);
      const average = ((survival[cell] ?? 0) + Math.exp(logSurvivalAt(age))) / 2;
      return (lifetime[cell] ?? 0) + average * (Math.max(0, age) - (EDGES_MS[cell] ?? 0));
    },
    /** `survival` and `lifetime` at the edges of the cells. */
    edges: { survival, lifetime },
    /** The rate of finishing at this age, per millisecond, of a job that is unfinished until then. */
    rate: (age: number): number => hazard[cellOf(age)] ?? 0,
    /** The integral of the square root of the hazard up to this age; polls belong at equal steps of it. */
    pollIntensity(age: number): number {
      const cell = cellOf(age);
      const since = Math.max(0, age) - (EDGES_MS[cell] ?? 0);
      return (pollIntensity[cell] ?? 0) + Math.sqrt(hazard[cell] ?? 0) * since;
    },
    /** The inverse of `pollIntensity`. */
    ageAtIntensity(target: number): number {
      const cell = firstCell(0, (each) => (pollIntensity[each + 1] ?? 0) > target);
      const slope = Math.sqrt(hazard[cell] ?? 0);
      const start = EDGES_MS[cell] ?? 0;
      return slope > 0 ? start + (target - (pollIntensity[cell] ?? 0)) / slope : start;
    },
    /** The age that a job unfinished at `age` will exceed with the given probability. */
    quantileAfter(age: number, chance: number): number {
      const target = logSurvivalAt(age) + Math.log(chance);
      const cell = firstCell(cellOf(age), (each) => (logSurvival[each + 1] ?? 0) <= target);
      const rate = hazard[cell] ?? 0;
      const since = rate > 0 ? ((logSurvival[cell] ?? 0) - target) / rate : 0;
      return Math.max(age, (EDGES_MS[cell] ?? 0) + since);
    },
  };
}

function suffixSum(density: Float64Array): Float64Array {
  const sums = new Float64Array(CELLS + 1);
  for (let i = CELLS - 1; i >= 0; i--) sums[i] = (sums[i + 1] ?? 0) + (density[i] ?? 0);
  return sums;
}

/** Binary search for the first cell that satisfies a monotonic predicate; the last cell if none does. */
function firstCell(from: number, isSo: (cell: number) => boolean): number {
  let low = from;
  let high = CELLS - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
