/** The pace and the order of calls, in one process and in several that share a pace. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SharedPace } from '../../../../src/base/members/members.ts';
import type { Lane } from '../../../../src/generation-client/wire/transport.ts';
import { type Calls, createPacing } from '../../../../src/orchestrator/service/call-pacing.ts';
import { createSharedPacing } from '../../../../src/orchestrator/service/shared-pacing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The next free time, for all processes that share it; `asked`: how long each reserved. */
const createPace = (): SharedPace & { readonly asked: number[] } => {
  let next = 0;
  const asked: number[] = [];
  return {
    asked,
    async reserve(ms) {
      asked.push(ms);
      const begin = Math.max(next, performance.now());
      next = begin + ms;
      return { delayMs: begin - performance.now(), lateMs: 0 };
    },
  };
};
/** Begins `count` polls at once, and notes when each of them begins. */
const begin = (calls: Calls, count: number): { all: Promise<unknown>; at: number[] } => {
  const at: number[] = [];
  const start = performance.now();
  const each = async (): Promise<void> => void at.push(performance.now() - start);
  return { all: Promise.all(Array.from({ length: count }, () => calls.pace('poll', each))), at };
};

describe('the pace of one process', () => {
  it.each([10, 51, 400])(
    'the pace of one process keeps to %i in any second, and spreads calls evenly',
    async (perSecond) => {
      const { all, at } = begin(createPacing(perSecond), 2 * perSecond);
      await vi.advanceTimersByTimeAsync(5_000);
      await all;
      for (const [index, time] of at.entries()) {
        const next = at[index + perSecond];
        // The pace has a margin for uneven network delays. A timer may be late, but not early.
        if (next !== undefined) expect(next - time).toBeGreaterThan(1_000);
      }

      expect((at[perSecond] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(1_020);
      // Two seconds' calls take two seconds, and some more for the timers.
      expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeLessThan(2_500);
    },
  );

  it('a call in a lane that was empty goes before those that wait in another', async () => {
    const calls = createPacing(20);
    const order: string[] = [];
    const call = (lane: Lane) => calls.pace(lane, async () => void order.push(lane));
    const looks = Array.from({ length: 12 }, () => call('poll'));

    while (calls.waiting() > 8) await vi.advanceTimersByTimeAsync(1);
    const late = [call('read'), call('submit'), call('moderator')];

    expect(calls.waiting('poll')).toBe(8);
    expect(calls.waiting('submit')).toBe(1);
    expect(calls.waiting()).toBe(11);

    await vi.advanceTimersByTimeAsync(2_000);
    await Promise.all([...looks, ...late]);

    expect(order.slice(3, 9)).toEqual(['poll', 'moderator', 'submit', 'read', 'poll', 'poll']);
  });

  it.each([
    { what: 'while calls wait', many: 30 },
    { what: 'while none does', many: 0 },
  ])('the pace of one process continues when the clock is set back by an hour $what', async ({ many }) => {
    const wall = Date.now;
    const calls = createPacing(50);

    await calls.pace('poll', async () => undefined);
    const { all, at } = begin(calls, many);
    vi.spyOn(Date, 'now').mockImplementation(() => wall() - 3_600_000);
    await vi.advanceTimersByTimeAsync(2_000);
    await all;

    expect(at).toHaveLength(many);

    const sent = calls.pace('submit', async () => 'sent');
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await sent).toBe('sent');
  });

  it('the pace of one process is no faster after the process stood still for a second', async () => {
    const { all, at } = begin(createPacing(20), 20);
    await vi.advanceTimersByTimeAsync(100);
    const now = performance.now.bind(performance);

    vi.spyOn(performance, 'now').mockImplementation(() => now() + 1_000);
    await vi.advanceTimersByTimeAsync(2_000);
    await all;

    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(Math.max(...pauses)).toBeGreaterThan(1_000);
    // 52 ms lie between two calls, and one that is late may take 20 ms of those before the next.
    expect(Math.min(...pauses)).toBeGreaterThan(30);
  });
});

describe('the pace of one of several processes', () => {
  it.each([
    { perSecond: 3, most: 1 },
    { perSecond: 100, most: 5 },
    { perSecond: 1_000, most: 48 },
  ])(
    'one of several processes reserves at most $most at a time of $perSecond for those who wait',
    async ({ perSecond, most }) => {
      const pace = createPace();
      const calls = createSharedPacing(perSecond, pace);
      const everyMs = 1_040 / perSecond;
      const { all, at } = begin(calls, 2 * most + 1);

      expect(calls.waiting()).toBe(2 * most + 1);

      await vi.advanceTimersByTimeAsync(5_000);
      await all;

      expect(pace.asked.map((ms) => Math.round(ms / everyMs))).toEqual([1, most, most]);
      expect(calls.waiting()).toBe(0);
      // Never before its time; a timer has whole milliseconds.
      for (const [index, time] of at.entries()) {
        expect(time - (at[0] ?? 0)).toBeGreaterThanOrEqual(index * everyMs - 0.001);
        expect(time - (at[0] ?? 0)).toBeLessThan(index * everyMs + 2);
      }
    },
  );

  it('one of several processes waits while nothing can be reserved', async () => {
    const pace = createPace();
    let isAway = true;
    const reserve = async (ms: number) => (isAway ? expect.fail('away') : pace.reserve(ms));
    const { all, at } = begin(createSharedPacing(10, { reserve }), 1);

    await vi.advanceTimersByTimeAsync(60_000);

    expect(at).toEqual([]);

    isAway = false;
    await vi.advanceTimersByTimeAsync(1_000);
    await all;
  });

  /** Reservations with these delays, then with the last of them; `asked` for so long. */
  const reserving = (perSecond: number, lateMs: number, ...delays: number[]) => {
    const asked: number[] = [];
    const reserve = async (ms: number) => {
      asked.push(ms);
      const delayMs = (delays.length > 1 ? delays.shift() : delays[0]) ?? 0;
      return { delayMs, lateMs };
    };
    return { asked, calls: createSharedPacing(perSecond, { reserve }) };
  };

  it('one of several processes gives up time that it missed, and reserves more', async () => {
    const { asked, calls } = reserving(10, 0, -50, 0);
    await calls.pace('poll', async () => undefined);
    expect(asked).toEqual([104, 124]);
  });

  it('one of several processes uses what is left of its time when it is late, no denser than otherwise', async () => {
    const { asked, calls } = reserving(1_000, 0, 0, -30, 1_000);
    const { at } = begin(calls, 49);

    await vi.advanceTimersByTimeAsync(500);

    // The 10 ms before that are lost; of the 20 ms after them nobody can tell whether they were used in time.
    expect(at).toHaveLength(39);
    expect(at.filter((time) => time === 0)).toHaveLength(21);
    for (const [index, time] of at.entries()) expect(time).toBeGreaterThanOrEqual((index - 21) * 1.04);

    await vi.advanceTimersByTimeAsync(1_000);
    expect(at).toHaveLength(49);
    expect(asked.map((ms) => Math.round(ms / 1.04))).toEqual([1, 48, 10]);
  });

  it('one of several processes reserves long enough for what it cannot know of the common clock', async () => {
    const { asked, calls } = reserving(10, 70, 0);
    await calls.pace('poll', async () => undefined);
    expect(asked).toEqual([104, 124, 144, 184]);
  });
});

const PER_SECOND = 20;
/** Keeps `inHand` calls of a caller waiting: whenever one has begun, the next one waits. */
const flood = (
  calls: Calls,
  order: string[],
  lane: Lane,
  inHand: number,
  askers?: string[],
  name = lane as string,
) => {
  const again = async (): Promise<void> => {
    await calls.pace(lane, async () => void order.push(name), askers);
    void again();
  };
  for (let count = 0; count < inHand; count += 1) void again();
};
/** Time for about so many calls. */
const pass = (count: number) => vi.advanceTimersByTimeAsync((count * 1_060) / PER_SECOND);
const count = (order: readonly string[], name: string): number =>
  order.filter((each) => each === name).length;

describe.each<{ readonly who: string; readonly open: () => Calls }>([
  { who: 'one process', open: () => createPacing(PER_SECOND) },
  { who: 'one of several processes', open: () => createSharedPacing(PER_SECOND, createPace()) },
])('the order of the calls of $who', ({ open }) => {
  let calls: Calls;
  let order: string[];
  beforeEach(() => {
    calls = open();
    order = [];
  });
  afterEach(() => void calls.stop());
  /** How many other calls begin before one that comes now. */
  const overtaking = async (lane: Lane, askers?: string[]): Promise<number> => {
    const before = order.length;
    void calls.pace(lane, async () => void order.push('mine'), askers);
    await pass(50);
    expect(order.slice(before)).toContain('mine');
    return order.slice(before).indexOf('mine');
  };

  it.each(['submit', 'poll', 'read'] as const)(
    'a moderator’s ten commands in hand and 100 campaigns hardly delay a %s',
    async (lane) => {
      flood(calls, order, 'moderator', 10, ['person:mo', 'community:1']);
      flood(calls, order, 'background', 100);
      await pass(20);

      // Calls whose time was reserved, and one of each lane, may come before it.
      expect(await overtaking(lane)).toBeLessThanOrEqual(3);
    },
  );

  it('many polls hardly delay a submission, and many submissions hardly delay a poll', async () => {
    flood(calls, order, 'poll', 64);
    await pass(20);

    expect(await overtaking('submit')).toBeLessThanOrEqual(2);

    flood(calls, order, 'submit', 50);
    await pass(20);
    order.length = 0;
    await pass(120);

    expect(count(order, 'poll') / order.length).toBeGreaterThan(0.25);
  });

  it('every lane has its part while all are full; campaigns have the least, and are not starved', async () => {
    for (const lane of ['background', 'read', 'poll', 'submit', 'moderator'] as const)
      flood(calls, order, lane, 20);
    await pass(30);
    order.length = 0;
    while (order.length < 160) await pass(1);
    const first = order.slice(0, 160);
    const parts = ['submit', 'poll', 'moderator', 'read', 'background'].map((lane) => count(first, lane));

    for (const [index, part] of [80, 40, 20, 10, 10].entries())
      expect(Math.abs(Number(parts[index]) - part)).toBeLessThanOrEqual(1);
  });

  it('campaigns use all calls that nobody else needs', async () => {
    flood(calls, order, 'background', 8);
    await pass(100);
    expect(order.length).toBeGreaterThan(80);
  });

  it('one moderator with many groups, and one group with many moderators, have a share like any other', async () => {
    for (let n = 0; n < 10; n += 1) {
      flood(calls, order, 'moderator', 1, ['person:mo', `community:${n}`]);
      flood(calls, order, 'moderator', 1, [`person:${n}`, 'community:hostile']);
    }
    await pass(20);
    const ann = ['person:ann', 'community:calm'];

    expect(await overtaking('moderator', ann)).toBeLessThanOrEqual(2);

    flood(calls, order, 'moderator', 1, ann, 'ann');
    await pass(10);
    order.length = 0;
    await pass(90);

    expect(count(order, 'ann') / order.length).toBeGreaterThan(0.3);
  });

  it('within a group, one moderator’s commands hardly delay another’s', async () => {
    flood(calls, order, 'moderator', 10, ['person:mo', 'community:1']);
    await pass(20);
    expect(await overtaking('moderator', ['person:ann', 'community:1'])).toBeLessThanOrEqual(2);
  });
});

it('the campaigns and moderators of one process leave most calls to the jobs of another', async () => {
  const pace = createPace();
  const one = createSharedPacing(PER_SECOND, pace);
  const other = createSharedPacing(PER_SECOND, pace);
  const order: string[] = [];

  flood(one, order, 'background', 100);
  flood(one, order, 'moderator', 10, ['person:mo', 'community:1']);
  await pass(20);
  order.length = 0;
  flood(other, order, 'submit', 30);
  await pass(100);

  expect(order.indexOf('submit')).toBeLessThanOrEqual(3);
  expect(count(order, 'submit') / order.length).toBeGreaterThan(0.7);

  void Promise.all([one.stop(), other.stop()]);
});
