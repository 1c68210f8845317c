import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SharedPace } from '../../../../src/base/members/members.ts';
import type { Lane } from '../../../../src/generation-client/wire/transport.ts';
import { type Calls, createCalls } from '../../../../src/orchestrator/service/call-pacing.ts';
import { createSharedCalls } from '../../../../src/orchestrator/service/shared-pacing.ts';

/** The order of calls, in one process and in several that share a pace. */

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const PER_SECOND = 20;

/** The next free time, for all processes that share it. */
const createPace = (): SharedPace => {
  let next = 0;
  return {
    async reserve(ms) {
      const begin = Math.max(next, performance.now());
      next = begin + ms;
      return { delayMs: begin - performance.now(), lateMs: 0 };
    },
  };
};

const kinds: readonly [string, () => Calls][] = [
  ['one process', () => createCalls(PER_SECOND)],
  ['one of several processes', () => createSharedCalls(PER_SECOND, createPace())],
];

/** So many calls of a caller are always in hand: whenever one has begun, the next one waits. */
const flood = (
  calls: Calls,
  order: string[],
  { lane, name = lane, inHand, askers }: { lane: Lane; name?: string; inHand: number; askers?: string[] },
): void => {
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

describe.each(kinds)('%s', (_, open) => {
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
      flood(calls, order, { lane: 'moderator', inHand: 10, askers: ['person:mo', 'community:1'] });
      flood(calls, order, { lane: 'background', inHand: 100 });
      await pass(20);
      // Those whose time was reserved, and one of each lane.
      expect(await overtaking(lane)).toBeLessThanOrEqual(3);
    },
  );

  it('many polls hardly delay a submission, and many submissions hardly delay a poll', async () => {
    flood(calls, order, { lane: 'poll', inHand: 64 });
    await pass(20);
    expect(await overtaking('submit')).toBeLessThanOrEqual(2);
    flood(calls, order, { lane: 'submit', inHand: 50 });
    await pass(20);
    order.length = 0;
    await pass(120);
    expect(count(order, 'poll') / order.length).toBeGreaterThan(0.25);
  });

  it('every lane has its part while all are full; campaigns have the least, and are not starved', async () => {
    for (const lane of ['background', 'read', 'poll', 'submit', 'moderator'] as const)
      flood(calls, order, { lane, inHand: 20 });
    await pass(30);
    order.length = 0;
    while (order.length < 160) await pass(1);
    const first = order.slice(0, 160);
    const parts = ['submit', 'poll', 'moderator', 'read', 'background'].map((lane) => count(first, lane));
    for (const [index, part] of [80, 40, 20, 10, 10].entries())
      expect(Math.abs(Number(parts[index]) - part)).toBeLessThanOrEqual(1);
  });

  it('campaigns use all calls that nobody else needs', async () => {
    flood(calls, order, { lane: 'background', inHand: 8 });
    await pass(100);
    expect(order.length).toBeGreaterThan(80);
  });

  it('one moderator with many groups, and one group with many moderators, have a share like any other', async () => {
    for (let group = 0; group < 10; group += 1)
      flood(calls, order, {
        lane: 'moderator',
        name: 'many groups',
        inHand: 1,
        askers: ['person:mo', `community:${group}`],
      });
    for (let person = 0; person < 10; person += 1)
      flood(calls, order, {
        lane: 'moderator',
        name: 'many moderators',
        inHand: 1,
        askers: [`person:${person}`, 'community:hostile'],
      });
    await pass(20);
    expect(await overtaking('moderator', ['person:ann', 'community:calm'])).toBeLessThanOrEqual(2);
    flood(calls, order, {
      lane: 'moderator',
      name: 'ann',
      inHand: 1,
      askers: ['person:ann', 'community:calm'],
    });
    await pass(10);
    order.length = 0;
    await pass(90);
    expect(count(order, 'ann') / order.length).toBeGreaterThan(0.3);
  });

  it('within a group, one moderator’s commands hardly delay another’s', async () => {
    flood(calls, order, { lane: 'moderator', inHand: 10, askers: ['person:mo', 'community:1'] });
    await pass(20);
    expect(await overtaking('moderator', ['person:ann', 'community:1'])).toBeLessThanOrEqual(2);
  });
});

it('the campaigns and moderators of one process leave most calls to the jobs of another', async () => {
  const pace = createPace();
  const [one, other] = [createSharedCalls(PER_SECOND, pace), createSharedCalls(PER_SECOND, pace)];
  const order: string[] = [];
  flood(one, order, { lane: 'background', inHand: 100 });
  flood(one, order, { lane: 'moderator', inHand: 10, askers: ['person:mo', 'community:1'] });
  await pass(20);
  order.length = 0;
  flood(other, order, { lane: 'submit', inHand: 30 });
  await pass(100);
  expect(order.indexOf('submit')).toBeLessThanOrEqual(3);
  expect(count(order, 'submit') / order.length).toBeGreaterThan(0.7);
  void Promise.all([one.stop(), other.stop()]);
});
