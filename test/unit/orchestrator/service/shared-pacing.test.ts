import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SharedPace } from '../../../../src/base/members/members.ts';
import { createSharedCalls } from '../../../../src/orchestrator/service/shared-pacing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The next free time, without any delay in between. */
const createPace = () => {
  let next = 0;
  const asked: number[] = [];
  const pace: SharedPace = {
    async reserve(ms) {
      asked.push(ms);
      const begin = Math.max(next, performance.now());
      next = begin + ms;
      return { delayMs: begin - performance.now(), lateMs: 0 };
    },
  };
  return { pace, asked };
};

it.each([
  { perSecond: 3, most: 1 },
  { perSecond: 10, most: 2 },
  { perSecond: 100, most: 5 },
  { perSecond: 1_000, most: 48 },
])(
  'reserves for those who wait, $most at a time at most of $perSecond a second',
  async ({ perSecond, most }) => {
    const { pace, asked } = createPace();
    const calls = createSharedCalls(perSecond, pace);
    const everyMs = 1_040 / perSecond;
    const begun: number[] = [];
    const all = Array.from({ length: 2 * most + 1 }, () =>
      calls.pace('poll', async () => void begun.push(performance.now())),
    );
    expect(calls.waiting()).toBe(2 * most + 1);
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all(all);
    expect(asked.map((ms) => Math.round(ms / everyMs))).toEqual([1, most, most]);
    expect(calls.waiting()).toBe(0);
    // Never before its time; a timer has whole milliseconds.
    const [first = 0] = begun;
    for (const [index, at] of begun.entries()) {
      expect(at - first).toBeGreaterThanOrEqual(index * everyMs - 0.001);
      expect(at - first).toBeLessThan(index * everyMs + 2);
    }
  },
);

it('waits while nothing can be reserved', async () => {
  const { pace } = createPace();
  let isAway = true;
  const calls = createSharedCalls(10, {
    reserve: async (ms) => {
      if (isAway) throw new Error('away');
      return pace.reserve(ms);
    },
  });
  let begun = 0;
  const call = calls.pace('submit', async () => {
    begun += 1;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toBe(0);
  isAway = false;
  await vi.advanceTimersByTimeAsync(1_000);
  await call;
  expect(begun).toBe(1);
});

it('gives up time that it missed, and reserves more', async () => {
  const asked: number[] = [];
  const delays = [-50];
  const calls = createSharedCalls(10, {
    reserve: async (ms) => {
      asked.push(ms);
      return { delayMs: delays.shift() ?? 0, lateMs: 0 };
    },
  });
  let begunAfter = 0;
  await calls.pace('poll', async () => {
    begunAfter = asked.length;
  });
  expect(begunAfter).toBe(2);
  expect(asked).toEqual([104, 124]);
});

it('uses what is left of its time when it is late, no denser than otherwise', async () => {
  const delays = [0, -30];
  const asked: number[] = [];
  const calls = createSharedCalls(1_000, {
    reserve: async (ms) => {
      asked.push(Math.round(ms / 1.04));
      return { delayMs: delays.shift() ?? 1_000, lateMs: 0 };
    },
  });
  const begun: number[] = [];
  const start = performance.now();
  for (let n = 0; n < 49; n += 1)
    void calls.pace('poll', async () => void begun.push(performance.now() - start));
  await vi.advanceTimersByTimeAsync(500);
  // The 10 ms before that are lost; of the 20 ms after them nobody can tell whether they were used in time.
  expect(begun).toHaveLength(39);
  expect(begun.filter((at) => at === 0)).toHaveLength(21);
  for (const [index, at] of begun.entries()) expect(at).toBeGreaterThanOrEqual((index - 21) * 1.04);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun).toHaveLength(49);
  expect(asked).toEqual([1, 48, 10]);
});

it('reserves long enough for what it cannot know of the common clock', async () => {
  const asked: number[] = [];
  const calls = createSharedCalls(10, {
    reserve: async (ms) => {
      asked.push(ms);
      return { delayMs: 0, lateMs: 70 };
    },
  });
  await calls.pace('poll', async () => undefined);
  expect(asked).toEqual([104, 124, 144, 184]);
});
