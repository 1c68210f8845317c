import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { progress } from '../../../../src/orchestrator/schedule/progress.ts';
import { modelOf, modelOfArrays, spreadAround } from './duration-models.ts';

const model = modelOf('image', spreadAround(8_000, 0.35, 200));

describe('progress', () => {
  it('is about half in the middle and late at the usual end', () => {
    expect(progress({ model, submittedAt: 0, now: 0, lastStatus: undefined, shown: 0 }).fraction).toBe(0);
    const middle = progress({ model, submittedAt: 0, now: 4_000, lastStatus: 'running', shown: 0 });
    expect(middle.fraction).toBeGreaterThan(0.4);
    expect(middle.fraction).toBeLessThan(0.6);
    expect(middle.remainingMs).toBeGreaterThan(3_000);
    expect(middle.remainingMs).toBeLessThan(5_000);
    expect(
      progress({ model, submittedAt: 0, now: 9_000, lastStatus: 'running', shown: 0 }).fraction,
    ).toBeGreaterThan(0.75);
  });

  it('gives no figure for a job older than nearly all others', () => {
    const late = progress({ model, submittedAt: 0, now: 120_000, lastStatus: 'running', shown: 0.9 });
    expect(late.remainingMs).toBeUndefined();
    expect(late.fraction).toBeLessThan(1);
  });

  it('never runs backwards, never says 1, and time left never grows, whatever is learned meanwhile', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(modelOfArrays(), fc.integer({ min: 0, max: 100_000 })), {
          minLength: 2,
          maxLength: 6,
        }),
        fc.constantFrom('waiting' as const, 'running' as const, undefined),
        (steps, lastStatus) => {
          let shown = 0;
          let shownRemainingMs: number | undefined;
          let now = 1_000;
          for (const [learnedMeanwhile, passed] of steps) {
            now += passed;
            const next = progress({
              model: learnedMeanwhile,
              submittedAt: 1_000,
              now,
              lastStatus,
              shown,
              shownRemainingMs,
            });
            expect(next.fraction).toBeGreaterThanOrEqual(shown);
            expect(next.fraction).toBeLessThan(1);
            if (next.remainingMs !== undefined) {
              expect(next.remainingMs).toBeGreaterThanOrEqual(0);
              expect(next.remainingMs).toBeLessThanOrEqual(shownRemainingMs ?? Number.POSITIVE_INFINITY);
              shownRemainingMs = next.remainingMs;
            }
            shown = next.fraction;
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});
