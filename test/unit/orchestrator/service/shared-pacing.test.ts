import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SharedPace } from '../../../../src/base/members.ts';
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
    async reserve(count, everyMs) {
      asked.push(count);
      const first = Math.max(next, performance.now());
      next = first + count * everyMs;
      const delaysMs = Array.from(
        { length: count },
        (_, index) => first + index * everyMs - performance.now(),
      );
      return { delaysMs, lateMs: 0 };
    },
  };
  return { pace, asked };
};

it('orders moderators before submissions before polls, whatever was reserved', async () => {
  const { pace } = createPace();
  const calls = createSharedCalls(20, pace);
  const order: string[] = [];
  const call = (lane: 'poll' | 'submit' | 'moderator') => calls.pace(lane, async () => void order.push(lane));
  const polls = Array.from({ length: 8 }, () => call('poll'));
  await vi.advanceTimersByTimeAsync(1);
  const late = [call('submit'), call('moderator')];
  await vi.advanceTimersByTimeAsync(5_000);
  await Promise.all([...polls, ...late]);
  expect(order.slice(0, 4)).toEqual(['poll', 'moderator', 'submit', 'poll']);
});

it('reserves for those who wait, five at a time at most', async () => {
  const { pace, asked } = createPace();
  const calls = createSharedCalls(100, pace);
  const begun: number[] = [];
  const all = Array.from({ length: 12 }, () =>
    calls.pace('poll', async () => void begun.push(performance.now())),
  );
  expect(calls.waiting()).toBe(12);
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(all);
  expect(Math.max(...asked)).toBe(5);
  expect(asked.reduce((sum, count) => sum + count)).toBe(12);
  expect(calls.waiting()).toBe(0);
  for (const [index, at] of begun.entries())
    if (index > 0) expect(at - (begun[index - 1] ?? 0)).toBeGreaterThanOrEqual(9);
});

it('waits while nothing can be reserved', async () => {
  const { pace } = createPace();
  let isAway = true;
  const calls = createSharedCalls(10, {
    reserve: async (count, everyMs) => {
      if (isAway) throw new Error('away');
      return pace.reserve(count, everyMs);
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

it('gives up a time that it missed, and reserves a longer one', async () => {
  const spans: number[] = [];
  let delays = [-50];
  const calls = createSharedCalls(10, {
    reserve: async (_count, everyMs) => {
      spans.push(everyMs);
      const [delay = 0] = delays;
      delays = delays.slice(1);
      return { delaysMs: [delay], lateMs: 0 };
    },
  });
  let begunAfter = 0;
  await calls.pace('poll', async () => {
    begunAfter = spans.length;
  });
  expect(begunAfter).toBe(2);
  expect(spans).toEqual([104, 124]);
});

it('reserves long enough for what it cannot know of the common clock', async () => {
  const spans: number[] = [];
  const calls = createSharedCalls(10, {
    reserve: async (_count, everyMs) => {
      spans.push(everyMs);
      return { delaysMs: [0], lateMs: 70 };
    },
  });
  await calls.pace('poll', async () => undefined);
  expect(spans).toEqual([104, 124, 144, 184]);
});

it('passes results and failures through', async () => {
  const calls = createSharedCalls(10, { reserve: async () => ({ delaysMs: [0], lateMs: 0 }) });
  expect(await calls.pace('poll', async () => 7)).toBe(7);
  await expect(calls.pace('poll', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
