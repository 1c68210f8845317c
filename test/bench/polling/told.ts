import { CELLS, cellOf } from '../../../src/orchestrator/schedule/density.ts';
import { type Hazard, hazardOf } from '../../../src/orchestrator/schedule/hazard.ts';
import { planFor } from '../../../src/orchestrator/schedule/plan.ts';
import type { Point } from './optimum.ts';
import { type Job, seeded, type Trace } from './traces.ts';

const SAMPLES = 200_000;

/** The true distribution of each part of a trace, as the scheduler would have it. */
export function truths(truth: Trace['truth']): Hazard[] {
  return truth.map((draw) => {
    const random = seeded(44);
    const density = new Float64Array(CELLS);
    for (let i = 0; i < SAMPLES; i++) {
      const cell = cellOf(draw(random).duration);
      density[cell] = (density[cell] ?? 0) + 1 / SAMPLES;
    }
    return hazardOf(density);
  });
}

/**
 * The scheduler's own plan without anything to learn: told the distribution, and of a change in the middle so
 * many milliseconds after the first job that it touches. What is missing to the optimum here is not for learning.
 */
export function told({ measured }: Trace, hazards: readonly Hazard[], price: number, lateMs: number): Point {
  const part = measured.length / hazards.length;
  let calls = 0;
  let delay = 0;
  for (const [i, job] of measured.entries()) {
    const own = Math.floor(i / part);
    const knownAt = own === 0 ? 0 : (measured[own * part]?.submittedAt ?? 0) + lateMs;
    const seen = watched(job, price, (now) => hazards[now < knownAt ? own - 1 : own]);
    calls += seen.calls / measured.length;
    delay += seen.delay / measured.length;
  }
  return { calls, delay };
}

function watched(
  { submittedAt, duration }: Job,
  price: number,
  at: (now: number) => Hazard | undefined,
): Point {
  let age = 0;
  let calls = 0;
  while (age < duration) {
    const hazard = at(submittedAt + age);
    if (hazard === undefined) break;
    age = planFor(hazard, price, 0)(age);
    calls++;
  }
  return { calls, delay: age - duration };
}
