import { expect, it } from 'vitest';
import type { MemberWatcher } from '../../../../src/base/members/members.ts';
import { createStoreWatch } from '../../../../src/orchestrator/engine/store-watch.ts';
import { createTakeover } from '../../../../src/orchestrator/engine/takeover.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const createMember = () => {
  const watchers = new Set<MemberWatcher>();
  let id = 1;
  let isAlive = true;
  return {
    members: {
      id: () => String(id),
      isAlive: () => isAlive,
      async renew() {
        id += 1;
        for (const { joined } of watchers) joined?.();
      },
      watch(watcher: MemberWatcher) {
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
    },
    watchers,
    lose() {
      isAlive = false;
      for (const { lost } of watchers) lost?.();
    },
    joinAgain() {
      id += 1;
      isAlive = true;
      for (const { joined } of watchers) joined?.();
    },
  };
};

const createScene = () => {
  const clock = createFakeClock();
  const member = createMember();
  const happened: string[] = [];
  const watch = createStoreWatch({
    clock,
    log: { info: () => undefined, error: () => undefined },
    tryToWrite: async () => undefined,
    isMember: member.members.isAlive,
    recovered: () => happened.push('recovered'),
  });
  const takeover = createTakeover({
    clock,
    members: member.members,
    isOpen: watch.isWell,
    lost: () => void watch.isStoreFailure(new Error('lost')),
    joined: async (former) => void happened.push(`joined, formerly ${former}`),
    look: () => happened.push('look'),
    takeUp: async () => void happened.push('take up'),
    failed: async () => undefined,
  });
  return { clock, happened, watch, takeover, ...member };
};

it('looks for work every second, and for the dead every other', async () => {
  const { clock, happened, takeover } = createScene();
  takeover.start();
  await clock.advance(4_000);
  expect(happened).toEqual(['look', 'take up', 'look', 'look', 'take up', 'look']);
  await takeover.stop();
  await clock.advance(10_000);
  expect(happened).toHaveLength(6);
  expect(clock.pending).toBe(0);
});

it('does nothing without a session, and takes nobody for dead just after it has one again', async () => {
  const { clock, happened, takeover, watch, watchers, lose, joinAgain } = createScene();
  takeover.start();
  lose();
  expect(watch.isWell()).toBe(false);
  await clock.advance(60_000);
  expect(happened).toEqual([]);
  joinAgain();
  expect(happened).toEqual(['joined, formerly 1']);
  await clock.advance(4_500);
  expect(watch.isWell()).toBe(true);
  expect(happened).toContain('recovered');
  expect(happened).toContain('look');
  expect(happened).not.toContain('take up');
  await clock.advance(2_000);
  expect(happened).toContain('take up');
  lose();
  joinAgain();
  expect(happened).toContain('joined, formerly 2');
  await takeover.stop();
  expect(watchers.size).toBe(0);
});

it('takes another id once after claims that were not answered', async () => {
  const { clock, happened, takeover, members } = createScene();
  takeover.start();
  takeover.renew();
  takeover.renew();
  await clock.advance(3_000);
  expect(members.id()).toBe('2');
  expect(happened.filter((each) => each.startsWith('joined'))).toEqual(['joined, formerly 1']);
  await takeover.stop();
});

it('goes on after a failure', async () => {
  const clock = createFakeClock();
  const { members } = createMember();
  let tries = 0;
  let failures = 0;
  const takeover = createTakeover({
    clock,
    members,
    isOpen: () => true,
    lost: () => undefined,
    joined: async () => undefined,
    look: () => undefined,
    takeUp: async () => {
      tries += 1;
      throw new Error('away');
    },
    failed: async () => {
      failures += 1;
    },
  });
  takeover.start();
  await clock.advance(6_000);
  expect([tries, failures]).toEqual([3, 3]);
  await takeover.stop();
});
