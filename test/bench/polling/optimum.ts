import { mean } from './simulate.ts';
import { seeded, type Trace } from './traces.ts';

export type Point = { calls: number; delay: number };

/** The exact optimum for a known distribution, by dynamic programming over a grid of times. */
export type Schedule = { polls: Float64Array; calls: number; delay: number; price: number };

/**
 * J(s) = min over t > s of price S(s) + integral from s to t of (F(u) - F(s)) du + J(t): what is still to be
 * paid after a poll at s that found nothing. No assumption on the shape is made.
 */
export function optimum(sortedDurations: Float64Array, price: number): Schedule {
  const largest = sortedDurations.at(-1) ?? 0;
  const times = grid(quantile(sortedDurations, 0.9) / 2500, largest);
  const last = times.length - 1;
  const ahead = new Float64Array(last + 2);
  const finished = new Float64Array(last + 1);
  const area = new Float64Array(last + 1);
  let at = 0;
  for (let i = 0; i <= last; i++) {
    while (at < sortedDurations.length && (sortedDurations[at] ?? 0) <= (times[i] ?? 0)) at++;
    finished[i] = at / sortedDurations.length;
    if (i > 0)
      area[i] =
        (area[i - 1] ?? 0) +
        ((finished[i - 1] ?? 0) + (finished[i] ?? 0)) * 0.5 * ((times[i] ?? 0) - (times[i - 1] ?? 0));
  }
  const next = new Int32Array(last + 1);
  for (let s = last - 1; s >= 0; s--) {
    const alreadyFinished = finished[s] ?? 0;
    const fee = price * (1 - alreadyFinished);
    let best = Number.POSITIVE_INFINITY;
    let choice = s + 1;
    for (let t = s + 1; t <= last; t++) {
      const waiting = (area[t] ?? 0) - (area[s] ?? 0) - alreadyFinished * ((times[t] ?? 0) - (times[s] ?? 0));
      const cost = fee + waiting + (ahead[t] ?? 0);
      if (cost < best) {
        best = cost;
        choice = t;
      }
      if (fee + waiting > best) break;
    }
    ahead[s] = best;
    next[s] = choice;
  }
  const polls: number[] = [];
  for (let s = 0; s < last; ) {
    s = next[s] ?? last;
    polls.push(times[s] ?? 0);
  }
  return { ...replay(Float64Array.from(polls), sortedDurations), price };
}

/** Even steps at first, then steps of a five hundredth of the age. */
function grid(step: number, end: number): Float64Array {
  const times = [0];
  for (let at = 0; at < end; times.push(at)) at += Math.max(step, at / 500);
  return Float64Array.from(times);
}

function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

export function replay(
  polls: Float64Array,
  durations: Iterable<number> & { length: number },
): Omit<Schedule, 'price'> {
  let calls = 0;
  let delay = 0;
  for (const duration of durations) {
    let low = 0;
    let high = polls.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((polls[middle] ?? 0) >= duration) high = middle;
      else low = middle + 1;
    }
    calls += low + 1;
    delay += Math.max(0, (polls[low] ?? 0) - duration);
  }
  return { polls, calls: calls / durations.length, delay: delay / durations.length };
}

const SAMPLES = 100_000;

/** The limit for a trace: each part of its jobs polled by the optimal schedule for that part. */
export function limitCurve({ measured, truth }: Trace, prices: readonly number[]): Point[] {
  const random = seeded(44);
  const samples = truth.map((draw) =>
    Float64Array.from({ length: SAMPLES }, () => draw(random).duration).sort(),
  );
  const part = measured.length / truth.length;
  return prices.map((price) => {
    const parts = samples.map((sorted, i) => {
      const durations = measured.slice(i * part, (i + 1) * part).map(({ duration }) => duration);
      return replay(optimum(sorted, price).polls, durations);
    });
    return { calls: mean(parts.map(({ calls }) => calls)), delay: mean(parts.map(({ delay }) => delay)) };
  });
}

/** Delay of the limit curve at a number of calls, between the computed points, straight in logarithms. */
export function limitAt(curve: readonly Point[], calls: number): number {
  return interpolate(
    curve.map((point) => [Math.log(point.calls), Math.log(point.delay)]),
    Math.log(calls),
  );
}

function interpolate(points: [number, number][], x: number): number {
  const sorted = points.toSorted(([a], [b]) => a - b);
  let right = sorted.findIndex(([px]) => px >= x);
  if (right < 0) right = sorted.length - 1;
  const [x1, y1] = sorted[Math.max(1, right)] ?? [0, 0];
  const [x0, y0] = sorted[Math.max(1, right) - 1] ?? [0, 0];
  return Math.exp(y0 + ((x - x0) / (x1 - x0)) * (y1 - y0));
}
