import fc from 'fast-check';
import { expect } from 'vitest';
import {
  type DurationModel,
  emptyModel,
  type Output,
  observe,
  observePoll,
} from '../../src/orchestrator/schedule/durations.ts';

/** A model that has seen each of these durations to within three percent either way. */
export function modelOf(
  output: Output,
  durations: readonly number[],
  prior?: DurationModel['prior'],
): DurationModel {
  return durations.reduce(
    (model, duration) => observe(model, { notBefore: duration * 0.97, by: duration * 1.03 }),
    emptyModel('test', output, prior),
  );
}

/** The model after one more job, which was asked about shortly before and after it was finished. */
export function lived(model: DurationModel, duration: number, submittedAt: number): DurationModel {
  const before = duration * 0.97;
  const after = duration * 1.03;
  const waited = observePoll(model, { from: 0, to: before, finished: false, submittedAt });
  const done = observePoll(waited, { from: before, to: after, finished: true, submittedAt });
  return observe(done, { notBefore: before, by: after, submittedAt });
}

/** So many durations that are spread as a lognormal distribution has them, in an order without a trend. */
export function spreadAround(medianMs: number, sigma: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const share = ((i * 0.618034) % 1) * 0.998 + 0.001;
    return medianMs * Math.exp((sigma * Math.log(share / (1 - share))) / 1.7);
  });
}

/** Models that have seen any observations, impossible ones included. */
export function modelOfArrays(): fc.Arbitrary<DurationModel> {
  const observation = fc.record({
    notBefore: fc.double({ min: -10, max: 1e8, noNaN: true }),
    took: fc.oneof(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY)),
    queue: fc.option(
      fc.record({
        notBefore: fc.integer({ min: 0, max: 100_000 }),
        took: fc.integer({ min: 0, max: 100_000 }),
      }),
    ),
  });
  return fc
    .tuple(fc.constantFrom<Output>('image', 'video'), fc.array(observation, { maxLength: 25 }))
    .map(([output, observations]) =>
      observations.reduce(
        (model, { notBefore, took, queue }) =>
          observe(model, {
            notBefore,
            by: notBefore + took,
            ...(queue && { queuedUntil: { notBefore: queue.notBefore, by: queue.notBefore + queue.took } }),
          }),
        emptyModel('any', output),
      ),
    );
}

/** Expects a value between these two. */
export function expectWithin(value: number | undefined, least: number, most: number): void {
  expect(value).toBeGreaterThan(least);
  expect(value).toBeLessThan(most);
}
