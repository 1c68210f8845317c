import { CELLS, cellOf, EDGES_MS } from './density.ts';
import type { Hazard } from './hazard.ts';

/**
 * Returns the age of the next poll after one at age `from` that found the job unfinished. `random` in [0, 1) moves the poll
 * within the ages that cost hardly more than the best; 0.5 gives the best.
 */
export type Plan = (from: number, random?: number) => number;

/** Prices are rounded to steps of this size, so that plans can be cached: the cost is flat around the best schedule. */
const PRICE_STEP = Math.log(1.1);
const FEW_CELLS = 2;
/**
 * How much more a poll may cost for being moved by `random`, as a part of its price: at most this, a third of it on average.
 */
const DEARER = 0.01;
/**
 * The least range of `random` as a part of the age, so that polls of jobs submitted together are spread even where the best age
 * is sharp.
 */
const LEAST_ROOM = 0.005;
const MOST_PLANS = 8;
const plans = new WeakMap<Hazard, Map<string, Plan>>();

/** The best ages to poll at, for a price in ms of delay and a minimum interval; cached by hazard. */
export function planFor(hazard: Hazard, price: number, floorMs: number): Plan {
  const level = Math.round(Math.log(price) / PRICE_STEP);
  const key = `${level}/${floorMs}`;
  const known = plans.get(hazard) ?? new Map<string, Plan>();
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  if (known.size >= MOST_PLANS) known.clear();
  const plan = makePlan(hazard, Math.exp(level * PRICE_STEP), floorMs);
  known.set(key, plan);
  plans.set(hazard, known);
  return plan;
}

/**
 * Polls at the rate sqrt(hazard / 2 price) are best when there are many of them; with few polls, or with gaps between two
 * peaks, that rule can be tens of percent off. This function therefore computes the cost still to be paid after a poll at s,
 *   J(s) = min over t of price S(s) + integral from s to t of (F(u) - F(s)) du + J(t),
 * by dynamic programming from the last cell back, once for a model and a price. The best t never rises as s falls, so every
 * search ends where the one before it did.
 */
function makePlan(hazard: Hazard, price: number, floorMs: number): Plan {
  const { survival, lifetime } = hazard.edges;
  const end = EDGES_MS[CELLS] ?? 0;
  const tailInterval = Math.sqrt((2 * price) / hazard.rate(end));
  const ahead = new Float64Array(CELLS + 1);
  ahead[CELLS] = (survival[CELLS] ?? 0) * tailInterval;

  const cost = (age: number, alive: number, lived: number, t: number): number =>
    price * alive + alive * ((EDGES_MS[t] ?? 0) - age) - ((lifetime[t] ?? 0) - lived) + (ahead[t] ?? 0);

  const bestFrom = (age: number, alive: number, lived: number, first: number, last: number): number => {
    let best = first;
    let least = cost(age, alive, lived, first);
    for (let t = first + 1; t <= last; t++) {
      const paid = cost(age, alive, lived, t);
      if (paid < least) {
        least = paid;
        best = t;
      } else if (paid - (ahead[t] ?? 0) > least) break;
    }
    return best;
  };

  let last = CELLS;
  for (let s = CELLS - 1; s >= 0; s--) {
    const age = EDGES_MS[s] ?? 0;
    const alive = survival[s] ?? 0;
    const lived = lifetime[s] ?? 0;
    const first = Math.min(CELLS, Math.max(s, cellOf(age + floorMs)) + 1);
    last = bestFrom(age, alive, lived, first, Math.max(first, last));
    ahead[s] = cost(age, alive, lived, last);
  }

  return (from, random = 0.5) => {
    if (from + floorMs >= (EDGES_MS[CELLS - 1] ?? 0)) return from + Math.max(floorMs, tailInterval);
    const alive = hazard.survival(from);
    const lived = hazard.lifetime(from);
    const first = cellOf(from + floorMs) + 1;
    const best = bestFrom(from, alive, lived, first, CELLS);
    if (best >= CELLS) return end;
    const aside = 2 * random - 1;
    if (best >= first + FEW_CELLS) {
      const paid = (t: number): number => cost(from, alive, lived, t);
      const most = paid(best) + DEARER * price * alive;
      let left = best;
      let right = best;
      while (left > first && paid(left - 1) <= most) left--;
      while (right < CELLS && paid(right + 1) <= most) right++;
      const age = lowest(best, paid);
      const room = Math.min(age - (EDGES_MS[left] ?? 0), (EDGES_MS[right] ?? 0) - age);
      return age + aside * Math.max(room, LEAST_ROOM * age);
    }
    // Where polls are closer together than the cells, the rule for many polls is exact and needs no cells.
    const dense = hazard.ageAtIntensity(hazard.pollIntensity(from) + Math.sqrt(2 * price));
    const age = Math.min(EDGES_MS[best + 1] ?? end, Math.max(from + floorMs, dense));
    return age + aside * Math.sqrt(DEARER) * (age - from);
  };
}

/** The age of least cost between the cells: the minimum of the parabola through the best edge and its neighbours. */
function lowest(best: number, paid: (t: number) => number): number {
  const x0 = EDGES_MS[best - 1] ?? 0;
  const x1 = EDGES_MS[best] ?? 0;
  const x2 = EDGES_MS[best + 1] ?? 0;
  const left = (paid(best) - paid(best - 1)) / (x1 - x0);
  const right = (paid(best + 1) - paid(best)) / (x2 - x1);
  const curve = (right - left) / (x2 - x0);
  if (!(curve > 0)) return x1;
  return Math.min(x2, Math.max(x0, (x0 + x1) / 2 - left / (2 * curve)));
}
