import { beforeEach, describe, expect, it } from 'vitest';
import type { MemberWatcher } from '../../../../src/base/members/members.ts';
import { createStoreWatch, type StoreWatch } from '../../../../src/orchestrator/engine/store-watch.ts';
import { createTakeover } from '../../../../src/orchestrator/engine/takeover.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';

let clock: FakeClock;
let full: boolean;
let told: string[];
let recovered: number;
let causes: unknown[];
let isMember: boolean;
let watch: StoreWatch;
beforeEach(() => {
  clock = createFakeClock();
  [full, told, recovered, causes, isMember] = [false, [], 0, [], true];
  const tell = (_: unknown, words = String(_)): void => void told.push(words);
  watch = createStoreWatch({
    clock,
    log: { info: tell, error: tell },
    async tryToWrite() {
      if (full) throw new Error('database or disk is full');
    },
    isMember: () => isMember,
    troubled: (error) => void causes.push(error),
    recovered() {
      recovered += 1;
    },
  });
});

it('reports once that the store is not writable, and once that it is again', async () => {
  full = true;
  for (let times = 0; times < 1000; times += 1)
    expect(await watch.isStoreFailure(new Error('full'))).toBe(true);
  await clock.advance(3_600_000);
  expect(told).toEqual(['the store is not writable: work is suspended until it is']);
  expect(watch.isWell()).toBe(false);
  full = false;
  await clock.advance(2_000);
  expect(watch.isWell()).toBe(true);
  expect(recovered).toBe(1);
  expect(told.slice(1)).toEqual(['the store is writable again: work resumes']);
  expect(clock.pending).toBe(0);
});

it('writes pending records first, the latest of each, once', async () => {
  const written: string[] = [];
  full = true;
  watch.writeLater('a', async () => written.push('a1'));
  watch.writeLater('b', async () => written.push('b'));
  watch.writeLater('a', async () => written.push('a2'));
  await watch.isStoreFailure(new Error('full'));
  full = false;
  await clock.advance(2_000);
  expect(written).toEqual(['b', 'a2']);
  expect(await watch.isStoreFailure(new Error('a bug'))).toBe(false);
  expect(written).toHaveLength(2);
});

it('stays suspended while pending records cannot be written', async () => {
  let fails = true;
  const written: string[] = [];
  watch.writeLater('a', async () => {
    if (fails) throw new Error('full');
    written.push('a');
  });
  expect(await watch.isStoreFailure(new Error('full'))).toBe(true);
  await clock.advance(60_000);
  expect(watch.isWell()).toBe(false);
  fails = false;
  await clock.advance(2_000);
  expect(written).toEqual(['a']);
  expect(watch.isWell()).toBe(true);
});

it('writes what is added at any moment of a check or of a recovery', async () => {
  const written: string[] = [];
  const addAfter = async (turns: number, name: string): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await undefined;
    watch.writeLater(name, async () => written.push(name));
    await watch.isStoreFailure(new Error('disk I/O error'));
  };
  for (let turns = 0; turns < 12; turns += 1) {
    const checked = watch.isStoreFailure(new Error('a bug'));
    await addAfter(turns, `check ${turns}`);
    expect(await checked).toBe(false);
    expect(written).toContain(`check ${turns}`);
  }
  for (let turns = 0; turns < 12; turns += 1) {
    const [before, adding] = [recovered, Promise.withResolvers<void>()];
    full = true;
    watch.writeLater('first', async () => void addAfter(turns, `recovery ${turns}`).then(adding.resolve));
    expect(await watch.isStoreFailure(new Error('full'))).toBe(true);
    full = false;
    await clock.advance(2_000);
    await adding.promise;
    expect(recovered).toBe(before + 1);
    expect(written).toContain(`recovery ${turns}`);
  }
});

it('tells what the store itself says, or, where it cannot be asked, what was met', async () => {
  full = true;
  await watch.isStoreFailure(new Error('a step failed'));
  full = false;
  await clock.advance(2_000);
  isMember = false;
  await watch.isStoreFailure(new Error('connection refused'));
  expect(causes.map(String)).toEqual(['Error: database or disk is full', 'Error: connection refused']);
  watch.stop();
  expect(clock.pending).toBe(0);
});

describe('a takeover', () => {
  const watchers = new Set<MemberWatcher>();
  let happened: string[];
  let renewals: number;
  const members = {
    isAlive: () => isMember,
    async renew() {
      renewals += 1;
      for (const { joined } of watchers) joined?.();
    },
    watch(watcher: MemberWatcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
  const open = (more: Partial<Parameters<typeof createTakeover>[0]> = {}) => {
    [happened, renewals] = [[], 0];
    const takeover = createTakeover({
      clock,
      members,
      isOpen: watch.isWell,
      lost: () => void watch.isStoreFailure(new Error('lost')),
      look: () => happened.push('look'),
      takeUp: async () => void happened.push('take up'),
      failed: async () => undefined,
      ...more,
    });
    takeover.start();
    return takeover;
  };

  it('looks for work and for the dead every second', async () => {
    const takeover = open();
    await clock.advance(2_000);
    expect(happened).toEqual(['look', 'take up', 'look', 'take up']);
    await takeover.stop();
    await clock.advance(10_000);
    expect([happened.length, clock.pending]).toEqual([4, 0]);
  });

  it('does nothing without a session, nor before what is owed to the store is written', async () => {
    const takeover = open();
    const written = Promise.withResolvers<void>();
    watch.writeLater('job', () => written.promise.then(() => happened.push('written')));
    isMember = false;
    for (const { lost } of watchers) lost?.();
    expect(watch.isWell()).toBe(false);
    await clock.advance(60_000);
    isMember = true;
    for (const { joined } of watchers) joined?.();
    await clock.advance(10_000);
    expect([happened, recovered]).toEqual([[], 0]);
    written.resolve();
    await clock.advance(2_000);
    expect(happened.slice(0, 3)).toEqual(['written', 'look', 'take up']);
    expect(recovered).toBe(1);
    await takeover.stop();
    expect(watchers.size).toBe(0);
  });

  it('takes another id once after claims that were not answered', async () => {
    const takeover = open();
    takeover.renew();
    takeover.renew();
    await clock.advance(3_000);
    expect(renewals).toBe(1);
    await takeover.stop();
  });

  it('goes on after a failure', async () => {
    const failures: unknown[] = [];
    const takeUp = () => Promise.reject(new Error('away'));
    const takeover = open({ takeUp, failed: async (error) => void failures.push(error) });
    await clock.advance(6_000);
    expect(failures).toHaveLength(6);
    await takeover.stop();
  });
});
