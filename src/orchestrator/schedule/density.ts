/**
 * Densities: which part of all durations falls into each cell of one logarithmic time axis. Densities are fitted to intervals,
 * because a poll never tells when a job finished, only between which two polls. All fits use expectation-maximisation: spread
 * every interval's mass over its cells according to the current density, then refit the density to the mass of each cell.
 */

/** A duration that lies between two cells, both included. */
export type Interval = { first: number; last: number; weight: number };
export type Lognormal = { medianMs: number; sigma: number };

/** 50 ms to five hours in steps of two percent. */
export const CELLS = 640;
const STEP = 0.02;
const FIRST_EDGE_MS = 50;

/** The left edge of each cell, and the right edge of the last one; the first cell begins at zero. */
export const EDGES_MS = Float64Array.from({ length: CELLS + 1 }, (_, i) =>
  i === 0 ? 0 : FIRST_EDGE_MS * Math.exp(i * STEP),
);

export function cellOf(ms: number): number {
  if (!(ms > FIRST_EDGE_MS)) return 0;
  return Math.min(CELLS - 1, Math.floor(Math.log(ms / FIRST_EDGE_MS) / STEP));
}

/** Converts a lognormal to the normal curve that it is on the logarithmic axis of cells. */
export function normalOnCells({ medianMs, sigma }: Lognormal): { centre: number; width: number } {
  return { centre: Math.log(medianMs / FIRST_EDGE_MS) / STEP - 0.5, width: sigma / STEP };
}
/** Converts a normal curve on the axis of cells back to a lognormal. */
export function lognormalOfCells(centre: number, width: number): Lognormal {
  return { medianMs: FIRST_EDGE_MS * Math.exp((centre + 0.5) * STEP), sigma: width * STEP };
}

export function lognormalDensity(lognormal: Lognormal): Float64Array {
  const { centre, width } = normalOnCells(lognormal);
  return normalise(gaussian(new Float64Array(CELLS), centre, width));
}

export function gaussian(cells: Float64Array, centre: number, width: number): Float64Array {
  for (let i = 0; i < cells.length; i++) {
    const z = (i - centre) / width;
    cells[i] = Math.exp(-0.5 * z * z);
  }
  return cells;
}

export function normalise(density: Float64Array): Float64Array {
  let total = 0;
  for (let i = 0; i < density.length; i++) total += density[i] ?? 0;
  if (total > 0) for (let i = 0; i < density.length; i++) density[i] = (density[i] ?? 0) / total;
  return density;
}

/** Cuts the axis to the cells that the intervals touch, with a margin, because the cost of a fit grows with the cells. */
export function crop(intervals: readonly Interval[], margin: number) {
  let from = CELLS;
  let to = 0;
  for (const { first, last } of intervals) {
    from = Math.min(from, first);
    to = Math.max(to, last);
  }
  from = Math.max(0, from - margin);
  const shifted = intervals.map(({ first, last, weight }) => ({
    first: first - from,
    last: last - from,
    weight,
  }));
  return { from, cells: Math.max(1, Math.min(CELLS - 1, to + margin) - from + 1), shifted };
}

export function massBetween(density: Float64Array, first: number, last: number): number {
  let mass = 0;
  for (let i = first; i <= last; i++) mass += density[i] ?? 0;
  return mass;
}

/** Spreads each interval's weight over its cells in proportion to the density, in time linear in cells + intervals. */
export function spreadOverCells(density: Float64Array, intervals: readonly Interval[]): Float64Array {
  const { length } = density;
  const cumulative = new Float64Array(length + 1);
  for (let i = 0; i < length; i++) cumulative[i + 1] = (cumulative[i] ?? 0) + (density[i] ?? 0);
  const factor = new Float64Array(length + 1);
  const mass = new Float64Array(length);
  for (const { first, last, weight } of intervals) {
    const inside = (cumulative[last + 1] ?? 0) - (cumulative[first] ?? 0);
    if (inside > 1e-12) {
      factor[first] = (factor[first] ?? 0) + weight / inside;
      factor[last + 1] = (factor[last + 1] ?? 0) - weight / inside;
    } else {
      // The density excludes this observation, which has happened all the same: its weight is spread evenly.
      const share = weight / (last - first + 1);
      for (let i = first; i <= last; i++) mass[i] = (mass[i] ?? 0) + share;
    }
  }
  let running = 0;
  for (let i = 0; i < length; i++) {
    running += factor[i] ?? 0;
    mass[i] = (mass[i] ?? 0) + Math.max(0, running) * (density[i] ?? 0);
  }
  return mass;
}

/**
 * Rounds of the fit: enough for wide intervals to settle where the narrow ones are; half as many leave a tenth of their mass
 * elsewhere.
 */
const ROUNDS = 16;
const START_WIDER = 1.5;

/** Fits a density of any shape, with one peak or several, by blurring it in each round. `bandwidth` is in logarithmic time. */
export function fitSmooth(intervals: readonly Interval[], start: Lognormal, bandwidth: number): Float64Array {
  // Three box blurs are close to a Gaussian whose variance is (width^2 - 1) / 4, in linear time.
  const radius = Math.max(1, Math.round((Math.sqrt(4 * (bandwidth / STEP) ** 2 + 1) - 1) / 2));
  const { from, cells, shifted } = crop(intervals, 3 * radius);
  const { centre, width } = normalOnCells(start);
  let density = gaussian(new Float64Array(cells), centre - from, START_WIDER * width);
  for (let round = 0; round < ROUNDS; round++) {
    density = normalise(blur(blur(blur(spreadOverCells(density, shifted), radius), radius), radius));
  }
  const whole = new Float64Array(CELLS);
  whole.set(density, from);
  return whole;
}

/** Replaces each cell by the mean of its neighbours up to `radius` away (a box blur). */
function blur(density: Float64Array, radius: number): Float64Array {
  const { length } = density;
  const blurred = new Float64Array(length);
  let window = 0;
  for (let i = 0; i < Math.min(radius, length); i++) window += density[i] ?? 0;
  for (let i = 0; i < length; i++) {
    if (i + radius < length) window += density[i + radius] ?? 0;
    if (i > radius) window -= density[i - radius - 1] ?? 0;
    blurred[i] = Math.max(0, window) / (2 * radius + 1);
  }
  return blurred;
}
