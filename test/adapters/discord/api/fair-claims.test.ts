import { expect, test } from 'vitest';
import { createFairClaims } from '../../../../src/adapters/discord/api/fair-claims.ts';
import { untilAborted } from '../../../../src/base/clock.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { createFakeMembers } from '../../../fakes/members.ts';

const open = () => {
  const clock = createFakeClock();
  const { join } = createFakeMembers();
  /** Who works on each, at this moment. */
  const workers = new Map<number, number>();
  const process = (count: number) => {
    const member = join();
    const claims = createFairClaims({
      members: member,
      name: 'shard',
      count,
      clock,
      async work(index, ended) {
        workers.set(index, (workers.get(index) ?? 0) + 1);
        await untilAborted(ended);
        workers.set(index, (workers.get(index) ?? 0) - 1);
      },
      failed: (error) => expect.fail(String(error)),
    });
    claims.start();
    return { member, claims };
  };
  return { clock, process, workers };
};

const shares = async (
  clock: FakeClock,
  processes: readonly { readonly claims: { held(): readonly number[] } }[],
): Promise<readonly number[]> => {
  await clock.advance(20_000);
  return processes.map(({ claims }) => claims.held().length);
};

test.each([
  { count: 4, processes: 3, expected: [1, 1, 2] },
  { count: 5, processes: 2, expected: [2, 3] },
  { count: 7, processes: 3, expected: [2, 2, 3] },
  { count: 6, processes: 3, expected: [2, 2, 2] },
  { count: 2, processes: 4, expected: [0, 0, 1, 1] },
])(
  '$count are shared by $processes processes, whoever comes first',
  async ({ count, processes, expected }) => {
    const { clock, process, workers } = open();
    const first = process(count);
    expect(await shares(clock, [first])).toEqual([count]);
    const all = [first];
    while (all.length < processes) {
      all.push(process(count));
      await clock.advance(500);
    }
    expect([...(await shares(clock, all))].sort()).toEqual(expected);
    expect([...workers.values()]).toEqual(Array.from({ length: count }, () => 1));
  },
);

test('what a dead process held is taken over, and shared again', async () => {
  const { clock, process } = open();
  const all = [process(5), process(5), process(5)];
  expect([...(await shares(clock, all))].sort()).toEqual([1, 2, 2]);
  const [first, ...rest] = all;
  first?.member.kill();
  expect([...(await shares(clock, rest))].sort()).toEqual([2, 3]);
});
