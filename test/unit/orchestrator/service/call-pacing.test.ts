import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createCalls } from '../../../../src/orchestrator/service/call-pacing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Resolves as soon as `work` has, with time passing for it. */
const inTime = async <T>(work: Promise<T>): Promise<T> => {
  let isDone = false;
  const done = (): void => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone) await vi.advanceTimersByTimeAsync(1);
  return work;
};

it('a call in a lane that was empty goes before those that wait in another', async () => {
  const calls = createCalls(20);
  const order: string[] = [];
  const call = (lane: 'poll' | 'submit' | 'moderator' | 'read') =>
    calls.pace(lane, async () => void order.push(lane));
  const looks = Array.from({ length: 12 }, () => call('poll'));
  while (calls.waiting() > 8) await vi.advanceTimersByTimeAsync(1);
  const late = [call('read'), call('submit'), call('moderator')];
  expect([calls.waiting('poll'), calls.waiting('submit'), calls.waiting()]).toEqual([8, 1, 11]);
  await inTime(Promise.all([...looks, ...late]));
  expect(order.slice(3, 9)).toEqual(['poll', 'moderator', 'submit', 'read', 'poll', 'poll']);
  await inTime(calls.stop());
});

it('leaves a margin in every second for uneven network delays', async () => {
  const calls = createCalls(10);
  const times: number[] = [];
  const beginnings = Array.from({ length: 11 }, () =>
    calls.pace('poll', async () => void times.push(performance.now())),
  );
  await inTime(Promise.all(beginnings));
  // A timer may be late, not early.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_020);
  await inTime(calls.stop());
});

it.each([51, 130, 400])(
  'keeps to %i in any second, and spreads simultaneous calls evenly',
  async (perSecond) => {
    const calls = createCalls(perSecond);
    const times: number[] = [];
    const all = Array.from({ length: 2 * perSecond }, () =>
      calls.pace('poll', async () => void times.push(performance.now())),
    );
    await inTime(Promise.all(all));
    for (const [index, at] of times.entries()) {
      const next = times[index + perSecond];
      if (next !== undefined) expect(next - at).toBeGreaterThan(1_000);
    }
    // As long as that many take, and some for the timers.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThan(2_500);
    await inTime(calls.stop());
  },
);

it.each([
  ['while calls wait', 30],
  ['while none does', 0],
])('continues when the clock is set back by an hour %s', async (_, many) => {
  const wall = Date.now;
  const calls = createCalls(50);
  const order: number[] = [];
  await inTime(calls.pace('poll', async () => undefined));
  const waiting = Array.from({ length: many }, (_each, n) =>
    calls.pace('poll', async () => void order.push(n)),
  );
  vi.spyOn(Date, 'now').mockImplementation(() => wall() - 3_600_000);
  await inTime(Promise.all(waiting));
  expect(order).toEqual(Array.from({ length: many }, (_each, n) => n));
  expect(await inTime(calls.pace('submit', async () => 'sent'))).toBe('sent');
  await inTime(calls.stop());
});
