import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyModel } from '../../../../src/orchestrator/schedule/durations.ts';
import { afterFailedPoll, nextPoll, pollPrice } from '../../../../src/orchestrator/schedule/schedule.ts';
import { modelOf, spreadAround } from './duration-models.ts';

const durations = spreadAround(8_000, 0.35, 200);
const model = modelOf('image', durations);

/** Looks a second when this many jobs run at all times, each replaced when it is done. */
function lookRate(jobs: number, price: number): number {
  let calls = 0;
  let time = 0;
  for (const duration of durations) {
    let at: number | undefined;
    while (at === undefined || at < duration) {
      at = nextPoll({
        model,
        submittedAt: 0,
        now: at ?? 0,
        lastLookAt: at,
        price,
        floorMs: 0,
      });
      calls++;
    }
    time += at;
  }
  return (jobs * calls * 1000) / time;
}

describe('pollPrice', () => {
  it.each([5, 20, 60])('keeps the polls of %i running jobs within the budget, and uses it', (jobs) => {
    const price = pollPrice({ running: [{ model, jobs }], callsPerSecond: 20, shareForPolls: 0.7 });
    expect(lookRate(jobs, price)).toBeLessThan(14 * 1.05);
    expect(lookRate(jobs, price)).toBeGreaterThan(14 * 0.7);
  });

  it('rises with the load and falls with the budget', () => {
    const videos = emptyModel('v', 'video');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 500 }), (jobs, calls) => {
        const at = (images: number, callsPerSecond: number) =>
          pollPrice({
            running: [
              { model, jobs: images },
              { model: videos, jobs: 3 },
            ],
            callsPerSecond,
            shareForPolls: 0.5,
          });
        expect(at(jobs + 1, calls)).toBeGreaterThanOrEqual(at(jobs, calls));
        expect(at(jobs, calls + 1)).toBeLessThanOrEqual(at(jobs, calls));
        expect(Number.isFinite(at(jobs, calls))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('afterFailedPoll', () => {
  const failure = fc.record({
    attempt: fc.integer({ min: 1, max: 1_000 }),
    floorMs: fc.integer({ min: 1, max: 10_000 }),
    now: fc.integer({ min: 0, max: 2_000_000_000_000 }),
    random: fc.double({ min: 0, max: 0.999_999, noNaN: true }),
    normalInterval: fc.integer({ min: 0, max: 600_000 }),
  });

  it('is after the floor, within one normal interval, and soon after any outage', () => {
    fc.assert(
      fc.property(failure, (failed) => {
        const wait = afterFailedPoll(failed) - failed.now;
        expect(wait).toBeGreaterThanOrEqual(failed.floorMs - 1e-3);
        expect(wait).toBeLessThanOrEqual(Math.max(failed.normalInterval, 2 * failed.floorMs) + 1e-3);
        expect(wait).toBeLessThanOrEqual(5 * failed.floorMs + 1e-3);
      }),
    );
  });

  it('waits for Retry-After, up to a minute, with jitter', () => {
    const asked = { attempt: 1, floorMs: 1_000, now: 0, normalInterval: 2_000, retryAfterMs: 20_000 };
    expect(afterFailedPoll({ ...asked, random: 0 })).toBe(20_000);
    expect(afterFailedPoll({ ...asked, random: 0.5 })).toBeGreaterThan(20_000);
    expect(afterFailedPoll({ ...asked, random: 0.5, retryAfterMs: 86_400_000 })).toBeLessThan(62_000);
  });

  it('spreads jobs that failed together over the whole range', () => {
    const waits = Array.from({ length: 100 }, (_, i) =>
      afterFailedPoll({ attempt: 5, floorMs: 1_000, now: 0, normalInterval: 4_000, random: i / 100 }),
    );
    for (const [from, to] of [
      [1_000, 2_000],
      [2_000, 3_000],
      [3_000, 4_000],
    ] as const) {
      expect(waits.filter((wait) => wait >= from && wait < to).length).toBeGreaterThan(30);
    }
  });
});
