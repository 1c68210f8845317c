import { expect, test } from 'vitest';
import { createTokenBucket } from '../../../../src/base/limits/token-bucket.ts';

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
