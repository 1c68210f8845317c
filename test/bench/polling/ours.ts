import { pollPrice } from '../../../src/orchestrator/schedule/poll-price.ts';
import { standardTimes } from '../../fakes/job-ports.ts';
import { limitCurve, type Point, replay } from './optimum.ts';
import type { Row } from './report.ts';
import { mean, percentile, type Result, type Rules, simulate } from './simulate.ts';
import { outageTrace, type Trace } from './traces.ts';

export type Ours = {
  trace: Trace;
  limit: Point[];
  /** The price of each row of `free`, and what the optimum makes of it. */
  prices: readonly number[];
  atPrices: Point[];
  free: Row[];
  /** Told waiting from running; empty where a trace has no queue. */
  seeing: Row[];
  floored: Row[];
  every5: Row;
  /** What the other clients' defaults come to when nothing holds them up. */
  everyHalf: Row;
};
export type OutageRun = { seconds: number; ideal: number; results: { who: string; result: Result }[] };

export const PRICES_MS = {
  image: [5, 10, 50, 150, 600, 2_500],
  video: [50, 100, 500, 1_500, 6_000, 25_000],
};
/** Close enough to each other that nothing hangs on how the limit is drawn between them. */
export const LIMIT_PRICES_MS = Array.from({ length: 37 }, (_, i) => 0.05 * 1.43 ** i);

/** The price as the engine sets it: 20 calls a second, seven tenths of them for looks. */
const byLoad: Rules['price'] = (model, jobs) =>
  pollPrice({ running: [{ model, jobs }], callsPerSecond: 20, shareForPolls: 0.7 });

export const resultRow = (who: string, { delays, callsPerJob, lost }: Result): Row => ({
  who,
  calls: callsPerJob,
  mean: mean(delays),
  p95: percentile(delays, 0.95),
  lost,
});

/** A trace through the scheduler in all its settings, and what it is measured against. */
export function ours(trace: Trace): Ours {
  const seesQueue = trace.measured.some(({ queue }) => queue !== undefined);
  const prices = PRICES_MS[trace.output];
  const run = (who: string, rules: Rules): Row => resultRow(`darkroom, ${who}`, simulate(trace, rules));
  const free = prices.map((ms) => run(`no floor, price ${ms} ms`, { floorMs: 0, price: () => ms }));
  const seeing = prices
    .filter(() => seesQueue)
    .map((ms) => run(`no floor, sees the queue, price ${ms} ms`, { floorMs: 0, price: () => ms, seesQueue }));
  const floorMs = standardTimes.floorsMs[trace.output];
  const floor = `floor ${floorMs / 1000} s`;
  const floored = prices
    .filter((_, i) => i % 2 === 1)
    .map((ms) => run(`${floor}, price ${ms} ms`, { floorMs, price: () => ms, seesQueue }));
  floored.push(run(`${floor}, price by load`, { floorMs, price: byLoad, seesQueue }));
  const scale = trace.output === 'video' ? 10 : 1;
  const limitPrices = LIMIT_PRICES_MS.map((ms) => ms * scale);
  const limit = limitCurve(trace, limitPrices);
  const atPrices = limitCurve(trace, prices);
  return {
    trace,
    limit,
    prices,
    atPrices,
    free,
    seeing,
    floored,
    every5: every(trace, 5_000),
    everyHalf: every(trace, 500, 1),
  };
}

/** Looks at a fixed interval from submission on, whatever is known; `atOnce` counts a look at submission. */
function every(trace: Trace, intervalMs: number, atOnce: 0 | 1 = 0): Row {
  const durations = trace.measured.map(({ duration }) => duration);
  const delays = durations.map((duration) => Math.ceil(duration / intervalMs) * intervalMs - duration);
  const count = Math.ceil(Math.max(...durations) / intervalMs);
  const looks = Float64Array.from({ length: count }, (_, i) => (i + 1) * intervalMs);
  const { calls } = replay(looks, durations);
  return {
    who: `every ${intervalMs / 1000} s${atOnce ? ' and at once, as both clients below' : ''}`,
    calls: calls + atOnce,
    mean: mean(delays),
    p95: percentile(delays, 0.95),
    lost: 0,
  };
}

export function outageRun(seconds: number): OutageRun {
  const trace = outageTrace(seconds);
  const { from, until } = trace.outage ?? { from: 0, until: 0 };
  const unavoidable = trace.measured.map(({ submittedAt, duration }) => {
    const finished = submittedAt + duration;
    return finished > from ? Math.max(0, until - finished) : 0;
  });
  const floorMs = standardTimes.floorsMs.image;
  const results = [
    { who: 'darkroom, floor 1 s, price 150 ms', result: simulate(trace, { floorMs, price: () => 150 }) },
    { who: 'darkroom, floor 1 s, price by load', result: simulate(trace, { floorMs, price: byLoad }) },
  ];
  return { seconds, ideal: mean(unavoidable), results };
}
