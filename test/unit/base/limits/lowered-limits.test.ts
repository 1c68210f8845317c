import { expect, test } from 'vitest';
import { createLoweredLimits } from '../../../../src/base/limits/lowered-limits.ts';

test('a limit is lowered to the next step below it, for its own key only', () => {
  const limits = createLoweredLimits([10, 8]);
  expect(limits.of('a', 100)).toBe(100);
  expect(limits.lower('a', 100, 100)).toBe(true);
  expect(limits.of('a', 100)).toBe(10);
  expect(limits.lower('a', 100, 100)).toBe(true);
  expect(limits.lower('a', 100, 100)).toBe(false);
  expect(limits.of('a', 100)).toBe(8);
  expect(limits.of('b', 9)).toBe(9);
  expect(limits.lower('b', 7, 7)).toBe(false);
  // What is smaller than a step would only be refused there again.
  expect(limits.lower('c', 100, 9)).toBe(true);
  expect(limits.of('c', 100)).toBe(8);
  expect(limits.lower('d', 100, 8)).toBe(false);
});
