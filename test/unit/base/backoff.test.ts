import { expect, it } from 'vitest';
import { backoff, jitteredBackoff } from '../../../src/base/backoff.ts';

it('the pause before another try doubles with each failure, up to the longest', () => {
  const pauses = [0, 1, 2, 3, 1_000].map((failures) => backoff(failures, 1_000, 5_000));

  expect(pauses).toEqual([1_000, 2_000, 4_000, 5_000, 5_000]);
});

it('the pause before another try is spread by chance, so that not everybody tries at the same moment', () => {
  const pauses = [0, 0.5, 1].map((random) => jitteredBackoff(2, random, 1_000, 5_000));

  expect(pauses).toEqual([500, 2_500, 4_500]);
});
