import { CELLS, cellOf, EDGES_MS } from './density.ts';

/** A density turned into the questions that are asked of it; each answer is a table lookup. Times in ms. */
export type Hazard = {
  /** Chance that the job is unfinished at this age. */
  survival(age: number): number;
  /** Integral of survival up to this age. */
  lifetime(age: number): number;
  /** Rate of finishing at this age, per millisecond, of a job unfinished until then. */
  rate(age: number): number;
  /** Integral of the square root of the hazard up to this age: polls belong at equal steps of it. */
  pollIntensity(age: number): number;
  ageAtIntensity(pollIntensity: number): number;
  /** The age that a job unfinished at `age` will outlive with the given chance. */
  quantileAfter(age: number, chance: number): number;
  /** The same at the edges of the cells. */
  edges: { survival: Float64Array; lifetime: Float64Array };
  medianMs: number;
  meanMs: number;
  /** Integral of urge's slope over the jobs still alive: polls per job are this over sqrt(2 price). */
  pollsPerJob: number;
};

/** Older than all but this part of jobs is the tail. */
const RARE = 0.01;
/** In units of the median: in the tail the hazard falls no further, which bounds the interval between polls. */
const LONGEST_MEMORY = 8;

export function hazardOf(density: Float64Array): Hazard {
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
    edges: { survival, lifetime },
    medianMs,
    meanMs: lifetime[CELLS] ?? 0,
    pollsPerJob,
    survival: (age) => Math.exp(logSurvivalAt(age)),
    lifetime(age) {
      const cell = cellOf(age);
      const start = EDGES_MS[cell] ?? 0;
      const average = ((survival[cell] ?? 0) + Math.exp(logSurvivalAt(age))) / 2;
      return (lifetime[cell] ?? 0) + average * (Math.max(0, age) - start);
    },
    rate: (age) => hazard[cellOf(age)] ?? 0,
    pollIntensity(age) {
      const cell = cellOf(age);
      return (
        (pollIntensity[cell] ?? 0) + Math.sqrt(hazard[cell] ?? 0) * (Math.max(0, age) - (EDGES_MS[cell] ?? 0))
      );
    },
    ageAtIntensity(target) {
      const cell = lastAtMost(pollIntensity, target);
      const slope = Math.sqrt(hazard[cell] ?? 0);
      const start = EDGES_MS[cell] ?? 0;
      return slope > 0 ? start + (target - (pollIntensity[cell] ?? 0)) / slope : start;
    },
    quantileAfter(age, chance) {
      const target = logSurvivalAt(age) + Math.log(chance);
      let low = cellOf(age);
      let high = CELLS - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((logSurvival[middle + 1] ?? 0) <= target) high = middle;
        else low = middle + 1;
      }
      const rate = hazard[low] ?? 0;
      const start = EDGES_MS[low] ?? 0;
      return rate > 0
        ? Math.max(age, start + ((logSurvival[low] ?? 0) - target) / rate)
        : Math.max(age, start);
    },
  };
}

function suffixSum(density: Float64Array): Float64Array {
  const sums = new Float64Array(CELLS + 1);
  for (let i = CELLS - 1; i >= 0; i--) sums[i] = (sums[i + 1] ?? 0) + (density[i] ?? 0);
  return sums;
}

/** The last cell whose left edge has at most this value. */
function lastAtMost(rising: Float64Array, value: number): number {
  let low = 0;
  let high = CELLS - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rising[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
