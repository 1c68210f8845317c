import { CELLS, cellOf, EDGES_MS } from './density.ts';

/** A density turned into the questions that are asked of it; each answer is a table lookup. Times in ms. */
export type Hazard = ReturnType<typeof hazardOf>;

/** Older than all but this part of jobs is the tail. */
const RARE = 0.01;
/** In units of the median: in the tail the hazard falls no further, which bounds the interval between polls. */
const LONGEST_MEMORY = 8;

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
    /** Integral of the square root of the hazard over the jobs still alive: polls per job are this over sqrt(2 price). */
    pollsPerJob,
    /** Chance that the job is unfinished at this age. */
    survival: (age: number): number => Math.exp(logSurvivalAt(age)),
    /** Integral of survival up to this age. */
    lifetime(age: number): number {
      const cell = cellOf(age);
      const average = ((survival[cell] ?? 0) + Math.exp(logSurvivalAt(age))) / 2;
      return (lifetime[cell] ?? 0) + average * (Math.max(0, age) - (EDGES_MS[cell] ?? 0));
    },
    /** The same at the edges of the cells. */
    edges: { survival, lifetime },
    /** Rate of finishing at this age, per millisecond, of a job unfinished until then. */
    rate: (age: number): number => hazard[cellOf(age)] ?? 0,
    /** Integral of the square root of the hazard up to this age: polls belong at equal steps of it. */
    pollIntensity(age: number): number {
      const cell = cellOf(age);
      const since = Math.max(0, age) - (EDGES_MS[cell] ?? 0);
      return (pollIntensity[cell] ?? 0) + Math.sqrt(hazard[cell] ?? 0) * since;
    },
    ageAtIntensity(target: number): number {
      const cell = firstCell(0, (each) => (pollIntensity[each + 1] ?? 0) > target);
      const slope = Math.sqrt(hazard[cell] ?? 0);
      const start = EDGES_MS[cell] ?? 0;
      return slope > 0 ? start + (target - (pollIntensity[cell] ?? 0)) / slope : start;
    },
    /** The age that a job unfinished at `age` will outlive with the given chance. */
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

/** The first cell for which it is so, as it is for all after it; the last one if for none. */
function firstCell(from: number, isSo: (cell: number) => boolean): number {
  let [low, high] = [from, CELLS - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
