import { describe, expect, it } from 'vitest';
import { GenerationError, type GenerationErrorKind } from '../../../../src/generation-client/wire/errors.ts';
import {
  backoffWithFullJitter,
  type CallKind,
  delayBeforeRetry,
  parseRetryAfter,
} from '../../../../src/generation-client/wire/retry.ts';

const failed = (kind: GenerationErrorKind, mayHaveArrived: boolean, retryAfterMs?: number) =>
  new GenerationError({ kind, endpoint: 'x', message: 'x', mayHaveArrived, retryAfterMs });

const kinds: GenerationErrorKind[] = [
  'rule',
  'refused',
  'unauthorized',
  'credits',
  'not-found',
  'rate-limited',
  'unavailable',
  'unreachable',
  'unknown-outcome',
  'bad-response',
  'unusable-result',
  'aborted',
];

const calls: CallKind[] = ['run', 'poll', 'read', 'mutation'];

describe('what may be repeated', () => {
  const repeated = (call: CallKind, mayHaveArrived: boolean) =>
    kinds.filter(
      (kind) => delayBeforeRetry(call, failed(kind, mayHaveArrived), 0, Math.random) !== undefined,
    );

  it('a run or mutation is repeated only if it cannot have arrived, or on 429', () => {
    expect(repeated('run', false)).toEqual(['rate-limited', 'unreachable']);
    expect(repeated('mutation', false)).toEqual(['rate-limited', 'unreachable']);
    expect(repeated('run', true)).toEqual([]);
    expect(repeated('mutation', true)).toEqual([]);
  });

  it('a read is repeated after any temporary error', () => {
    expect(repeated('read', true)).toEqual(['rate-limited', 'unavailable', 'unreachable', 'bad-response']);
  });

  it('a poll is never repeated, because it is scheduled elsewhere', () => {
    expect(repeated('poll', false)).toEqual([]);
  });

  it('a call is repeated a limited number of times', () => {
    const attempts = (call: CallKind) =>
      [0, 1, 2, 3, 4, 5].filter(
        (attempt) => delayBeforeRetry(call, failed('unreachable', false), attempt, Math.random) !== undefined,
      ).length;

    expect(calls.map(attempts)).toEqual([2, 0, 3, 2]);
  });
});

describe('how long to wait', () => {
  it('the wait before a retry is a random part of a doubling, capped limit', () => {
    expect([0, 1, 2, 3].map((attempt) => backoffWithFullJitter(attempt, () => 1))).toEqual([
      250, 500, 1000, 2000,
    ]);
    expect(backoffWithFullJitter(20, () => 1)).toBe(8000);
    expect(backoffWithFullJitter(20, () => 0)).toBe(0);
  });

  it('the wait before a retry is at least Retry-After, and there is no retry if that is too long', () => {
    const delay = (ms: number) => delayBeforeRetry('run', failed('rate-limited', false, ms), 0, () => 0.5);

    expect(delay(3000)).toBe(3125);
    expect(delay(10_001)).toBeUndefined();
  });
});

const now = Date.parse('2026-03-01T12:00:00Z');

it.each([
  { value: '0', expected: 0 },
  { value: '7', expected: 7000 },
  { value: ' 1.5 ', expected: 1500 },
  { value: 'Sun, 01 Mar 2026 12:00:30 GMT', expected: 30_000 },
  { value: 'Sun, 01 Mar 2026 11:00:00 GMT', expected: 0 },
  { value: '999999999', expected: 3_600_000 },
  { value: 'Fri, 31 Dec 9999 23:59:59 GMT', expected: 3_600_000 },
  { value: '-5', expected: undefined },
  { value: 'soon', expected: undefined },
  { value: 'Sun, something', expected: undefined },
  { value: '', expected: undefined },
  { value: undefined, expected: undefined },
])('the header Retry-After is understood: $value', ({ value, expected }) => {
  expect(parseRetryAfter(value, now)).toBe(expected);
});
