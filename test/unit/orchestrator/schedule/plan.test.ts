import { describe, expect, it } from 'vitest';
import { CELLS, EDGES_MS, lognormalDensity } from '../../../../src/orchestrator/schedule/density.ts';
import { type Hazard, hazardOf } from '../../../../src/orchestrator/schedule/hazard.ts';
import { planFor } from '../../../../src/orchestrator/schedule/plan.ts';

/** Expected calls and delay of a plan for jobs that are truly so distributed. */
function expected(hazard: Hazard, price: number): { calls: number; delay: number } {
  const plan = planFor(hazard, price, 0);
  let calls = 0;
  let detected = 0;
  for (let last = 0; hazard.survival(last) > 1e-6; ) {
    const next = plan(last);
    calls += hazard.survival(last);
    detected += next * (hazard.survival(last) - hazard.survival(next));
    last = next;
  }
  return { calls, delay: detected - hazard.meanMs };
}

describe('the plan', () => {
  it('is the exact optimum for a lognormal, as computed elsewhere by dynamic programming', () => {
    // Mean 10 s, sigma .35; delay in seconds by calls.
    const hazard = hazardOf(lognormalDensity({ medianMs: 10_000 * Math.exp(-(0.35 ** 2) / 2), sigma: 0.35 }));
    for (const [calls, delay] of [
      [3, 1.01],
      [5, 0.583],
      [8, 0.357],
    ] as const) {
      let [low, high] = [1, 10_000];
      for (let round = 0; round < 30; round++) {
        const middle = Math.sqrt(low * high);
        if (expected(hazard, middle).calls > calls) low = middle;
        else high = middle;
      }
      const reached = expected(hazard, high);
      // Prices come in steps, so that the calls are met nearly: delay times calls is all but constant there.
      expect((reached.delay * reached.calls) / (delay * 1000 * calls)).toBeGreaterThan(0.95);
      expect((reached.delay * reached.calls) / (delay * 1000 * calls)).toBeLessThan(1.04);
    }
  });

  it('polls at even intervals when age says nothing', () => {
    const mean = 10_000;
    const density = new Float64Array(CELLS);
    const survival = (ms: number): number => Math.exp(-ms / mean);
    for (let i = 0; i < CELLS; i++) density[i] = survival(EDGES_MS[i] ?? 0) - survival(EDGES_MS[i + 1] ?? 0);
    const plan = planFor(hazardOf(density), 1_000, 0);
    const cost = (interval: number): number => {
      const calls = 1 / (1 - Math.exp(-interval / mean));
      return interval * calls - mean + 1_000 * calls;
    };
    const intervals = Array.from({ length: 200 }, (_, i) => 500 + i * 50);
    const best = intervals.reduce((a, b) => (cost(b) < cost(a) ? b : a));
    for (const age of [0, 3_000, 9_000, 20_000]) {
      expect((plan(age) - age) / best).toBeGreaterThan(0.93);
      expect((plan(age) - age) / best).toBeLessThan(1.07);
    }
  });

  it('keeps a floor, and never ends', () => {
    const plan = planFor(hazardOf(lognormalDensity({ medianMs: 8_000, sigma: 0.3 })), 5, 1_000);
    for (const age of [0, 500, 7_900, 30_000, 10_000_000, 1e9]) {
      expect(plan(age) - age).toBeGreaterThanOrEqual(1_000 - 1e-6);
      expect(plan(age)).toBeLessThan(age + 60_000);
    }
  });
});
