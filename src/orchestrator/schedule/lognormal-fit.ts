import {
  CELLS,
  crop,
  gaussian,
  type Interval,
  type Lognormal,
  lognormalOfCells,
  normalise,
  normalOnCells,
  spreadOverCells,
} from './density.ts';

/**
 * A lognormal that holds a part (`share`) of all jobs. On the axis of cells it is a normal curve; `centre` and `width` are in
 * cells.
 */
type Bell = { share: number; centre: number; width: number };

/** Weight of the prior, in observations: a few jobs say little about the mean, and less about the spread. */
const MEAN_HELD = 0.5;
const SPREAD_HELD = 3;
/**
 * Weight of the prior in `fitPair`: the halves of a smoothed density are a poor guess, used only to keep a bell without jobs in
 * place.
 */
const HALVES_HELD = 0.5;
const SMALLEST_SPREAD = 2;
const MOST_ROUNDS = 30;
const SETTLED = 0.02;

/** Fits a lognormal to the intervals. Few rounds are needed when `start` is the fit before the last interval. */
export function fitLognormal(intervals: readonly Interval[], prior: Lognormal, start: Lognormal): Lognormal {
  const [fitted] = fitBells(
    intervals,
    [{ share: 1, ...normalOnCells(start) }],
    [normalOnCells(prior)],
    SPREAD_HELD,
  );
  return fitted === undefined ? start : lognormalOfCells(fitted.centre, fitted.width);
}

/**
 * Fits a mixture of two lognormals: jobs often are of two sorts, such as those that found a model loaded and those that did
 * not.
 */
export function fitPair(intervals: readonly Interval[], start: Float64Array): Float64Array {
  const halves = parted(start);
  const density = new Float64Array(CELLS);
  for (const bell of fitBells(intervals, halves, halves, HALVES_HELD))
    add(density, bell, new Float64Array(CELLS));
  return normalise(density);
}

/**
 * Fits bells to the intervals, beginning at `start`. `held` is the prior of each, to which it is drawn while it has few
 * intervals.
 */
function fitBells(
  intervals: readonly Interval[],
  start: readonly Bell[],
  held: readonly Omit<Bell, 'share'>[],
  spreadHeld: number,
): Bell[] {
  const { from, cells, shifted } = crop(intervals, 0);
  let bells = start.map((bell) => ({ ...bell, centre: bell.centre - from }));
  const parts = bells.map(() => new Float64Array(cells));
  const density = new Float64Array(cells);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    density.fill(0);
    for (const [k, bell] of bells.entries()) add(density, bell, parts[k] ?? density);
    const mass = spreadOverCells(density, shifted);
    let moved = 0;
    bells = bells.map((bell, k) => {
      const { centre, width } = held[k] ?? bell;
      const next = refit(ownMass(mass, parts[k] ?? density, density), centre - from, spreadHeld, width);
      moved += Math.abs(next.centre - bell.centre) + Math.abs(next.width - bell.width);
      return next;
    });
    if (moved < SETTLED) break;
  }
  return bells.map((bell) => ({ ...bell, centre: bell.centre + from }));
}

/** Adds the bell to `density`, and writes the bell alone to `part`. */
function add(density: Float64Array, { share, centre, width }: Bell, part: Float64Array): void {
  gaussian(part, centre, width);
  for (let i = 0; i < density.length; i++) {
    part[i] = (share / width) * (part[i] ?? 0);
    density[i] = (density[i] ?? 0) + (part[i] ?? 0);
  }
}

/** The mass that belongs to one part of the density; overwrites `part`. */
function ownMass(mass: Float64Array, part: Float64Array, density: Float64Array): Float64Array {
  for (let i = 0; i < mass.length; i++) {
    const whole = density[i] ?? 0;
    part[i] = whole > 0 ? ((mass[i] ?? 0) * (part[i] ?? 0)) / whole : (mass[i] ?? 0);
  }
  return part;
}

/** Fits one bell to its mass and its prior. */
function refit(mass: Float64Array, heldCentre: number, spreadHeld: number, heldWidth: number): Bell {
  let share = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < mass.length; i++) {
    const own = mass[i] ?? 0;
    const apart = i - heldCentre;
    share += own;
    sum += own * apart;
    squares += own * apart ** 2;
  }
  const total = share + MEAN_HELD;
  const away = sum / total;
  const around = Math.max(0, squares - total * away ** 2) + spreadHeld * heldWidth ** 2;
  const width = Math.max(SMALLEST_SPREAD, Math.sqrt(around / (total + spreadHeld)));
  return { share: Math.max(1e-9, share), centre: heldCentre + away, width };
}

/** Cuts a density in two where the halves differ most from each other. */
function parted(density: Float64Array): Bell[] {
  const moments = [0, 1, 2].map((power) => {
    const sums = new Float64Array(CELLS + 1);
    for (let i = 0; i < CELLS; i++) sums[i + 1] = (sums[i] ?? 0) + (density[i] ?? 0) * i ** power;
    return sums;
  });
  const bell = (from: number, to: number): Bell => {
    const [share = 0, sum = 0, squares = 0] = moments.map((sums) => (sums[to] ?? 0) - (sums[from] ?? 0));
    const centre = share > 0 ? sum / share : (from + to) / 2;
    const variance = share > 0 ? squares / share - centre ** 2 : 0;
    return { share, centre, width: Math.max(SMALLEST_SPREAD, Math.sqrt(Math.max(0, variance))) };
  };
  let cut = CELLS / 2;
  let most = 0;
  for (let i = 1; i < CELLS; i++) {
    if ((density[i] ?? 0) === 0) continue;
    const left = bell(0, i);
    const right = bell(i, CELLS);
    const apart = left.share * right.share * (left.centre - right.centre) ** 2;
    if (apart > most) {
      most = apart;
      cut = i;
    }
  }
  return [bell(0, cut), bell(cut, CELLS)];
}
