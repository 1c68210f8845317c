import { expect, test } from 'vitest';
import { createLoweredLimits, createTokenBucket } from '../../src/adapters/limits.ts';

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

const createBucket = () => {
  let now = 0;
  const bucket = createTokenBucket({ now: () => now }, { perSecond: 2, capacity: 3 });
  return { bucket, pass: (ms: number) => (now += ms) };
};

test('a token bucket refills at its rate, up to its capacity', () => {
  const { bucket, pass } = createBucket();
  for (let taken = 0; taken < 4; taken += 1) bucket.take();
  expect(bucket.available()).toBe(-1);
  expect(bucket.waitMs()).toBe(1_000);
  pass(1_000);
  expect(bucket.available()).toBe(1);
  pass(60_000);
  expect(bucket.available()).toBe(3);
});

test('a token bucket has a lower limit', () => {
  const { bucket } = createBucket();
  for (let taken = 0; taken < 20; taken += 1) bucket.take(-5);
  expect(bucket.available()).toBe(-5);
});
