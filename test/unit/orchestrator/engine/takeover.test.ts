import { expect, it } from 'vitest';
import type { MemberWatcher } from '../../../../src/base/members/members.ts';
import { createStoreWatch } from '../../../../src/orchestrator/engine/store-watch.ts';
import { createTakeover } from '../../../../src/orchestrator/engine/takeover.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const createMember = () => {
  const watchers = new Set<MemberWatcher>();
  let renewals = 0;
  let isAlive = true;
  return {
    members: {
      isAlive: () => isAlive,
      async renew() {
        renewals += 1;
        for (const { joined } of watchers) joined?.();
      },
      watch(watcher: MemberWatcher) {
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
    },
    watchers,
    renewals: () => renewals,
    lose() {
      isAlive = false;
      for (const { lost } of watchers) lost?.();
    },
    joinAgain() {
      isAlive = true;
      for (const { joined } of watchers) joined?.();
    },
  };
};

const createScene = (more: Partial<Parameters<typeof createTakeover>[0]> = {}) => {
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
    look: () => happened.push('look'),
    takeUp: async () => void happened.push('take up'),
    failed: async () => undefined,
    ...more,
  });
  return { clock, happened, watch, takeover, ...member };
};

it('looks for work and for the dead every second', async () => {
  const { clock, happened, takeover } = createScene();
  takeover.start();
  await clock.advance(2_000);
  expect(happened).toEqual(['look', 'take up', 'look', 'take up']);
  await takeover.stop();
  await clock.advance(10_000);
  expect(happened).toHaveLength(4);
  expect(clock.pending).toBe(0);
});

it('does nothing without a session, nor before what is owed to the store is written', async () => {
  const { clock, happened, takeover, watch, watchers, lose, joinAgain } = createScene();
  const written = Promise.withResolvers<void>();
  takeover.start();
  watch.writeLater('job', () => written.promise.then(() => happened.push('written')));
  lose();
  expect(watch.isWell()).toBe(false);
  await clock.advance(60_000);
  joinAgain();
  await clock.advance(10_000);
  expect(happened).toEqual([]);
  written.resolve();
  await clock.advance(2_000);
  expect(happened.slice(0, 4)).toEqual(['written', 'recovered', 'look', 'take up']);
  await takeover.stop();
  expect(watchers.size).toBe(0);
});

it('takes another id once after claims that were not answered', async () => {
  const { clock, takeover, renewals } = createScene();
  takeover.start();
  takeover.renew();
  takeover.renew();
  await clock.advance(3_000);
  expect(renewals()).toBe(1);
  await takeover.stop();
});

it('goes on after a failure', async () => {
  let [tries, failures] = [0, 0];
  const { clock, takeover } = createScene({
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
  expect([tries, failures]).toEqual([6, 6]);
  await takeover.stop();
});
