import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemberWatcher } from '../../../../src/base/members/members.ts';
import { createDueJobs, type StepEnd } from '../../../../src/orchestrator/engine/due-jobs.ts';
import { createStoreWatch, type StoreWatch } from '../../../../src/orchestrator/engine/store-watch.ts';
import { createTakeover } from '../../../../src/orchestrator/engine/takeover.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { SqliteStore } from '../../../../src/store/sqlite/store.ts';
import { insert } from '../../../contract/store/suite/driver.ts';
import { createFakeClock, type FakeClock } from '../../../fakes/clock.ts';
import { sampleJob } from '../../../fakes/sample-job.ts';
import { createStoreFile } from '../../../fakes/store-file.ts';

const REST_MS = 5_000;
const GATHER_MS = 10;

let file: ReturnType<typeof createStoreFile>;
let store: SqliteStore;
beforeEach(async () => {
  file = createStoreFile();
  store = await file.open();
});
afterEach(() => file.remove());

/** The queues over the real store; a test ends the steps that they begin, and sees what was claimed. */
function createQueue(stepsAtOnce: number) {
  const { jobs: records } = store;
  const clock = createFakeClock();
  const steps = new Map<string, (end: StepEnd) => void>();
  const begun: string[] = [];
  const claimed = { queries: 0, jobs: 0 };
  let broken = false;
  const unlessBroken = (): void => {
    if (broken) throw new Error('the disk fails');
  };
  const queue = createDueJobs({
    clock,
    records: {
      async claim(...args) {
        unlessBroken();
        const jobs = await records.claim(...args);
        if (args[0] === 'polls') {
          claimed.queries += 1;
          claimed.jobs += jobs.length;
        }
        return jobs;
      },
      nextDue: records.nextDue,
      async release(...args) {
        unlessBroken();
        return records.release(...args);
      },
    },
    step: ({ id }, which) => {
      if (which !== 'polls') return new Promise(() => undefined);
      expect(steps.has(id), 'two steps of one job at once').toBe(false);
      begun.push(id);
      return new Promise((resolve) => steps.set(id, resolve));
    },
    isBusy: () => false,
    failed: async () => undefined,
    stepsAtOnce: { polls: stepsAtOnce, results: 1, others: 1 },
  });
  const jobOf = async (id: string): Promise<Job> => (await records.get(id)) ?? expect.fail(`${id} is gone`);
  const move = async (id: string, due: number, hand?: 'release'): Promise<void> => {
    const job = await jobOf(id);
    const saved = await records.save(job, { ...job, due } as Job, 'lossy', hand);
    queue.expect(saved ?? expect.fail('the record has changed'));
  };
  const end = async (id: string, how: StepEnd = 'saved'): Promise<void> => {
    const resolve = steps.get(id) ?? expect.fail(`${id} is not in hand`);
    steps.delete(id);
    resolve(how);
    await clock.advance(0);
  };
  return {
    clock,
    steps,
    begun,
    claimed,
    queue,
    breakDisk: (isBroken: boolean) => {
      broken = isBroken;
    },
    async add(due: number): Promise<string> {
      const job = sampleJob({ state: 'running', due });
      await insert({ jobs: records }, job);
      queue.expect(job);
      return job.id;
    },
    /** Another process changes when the job is due. */
    move: (id: string, due: number) => move(id, due),
    /** Removes the job, so that nobody polls it any more. */
    async leave(id: string): Promise<void> {
      await records.remove(id);
    },
    end,
    /** Ends a step as a poll ends: the save of the job also releases it. */
    async endAndRelease(id: string, due: number): Promise<void> {
      await move(id, due, 'release');
      await end(id, 'released');
    },
  };
}

describe('jobs that are due', () => {
  it('jobs that are due are claimed once each, however many are in progress', async () => {
    const { clock, add, queue, claimed, begun, endAndRelease } = createQueue(2_000);
    const ids = await Promise.all(Array.from({ length: 1_000 }, () => add(clock.now())));

    queue.start();
    await clock.advance(GATHER_MS);

    expect(begun.toSorted()).toEqual(ids.toSorted());
    // The last query finds nothing.
    expect(claimed).toEqual({ queries: 33, jobs: 1_000 });

    for (const id of ids.slice(0, 100)) {
      await clock.advance(1);
      await endAndRelease(id, clock.now() + 1_000);
    }
    expect(claimed).toEqual({ queries: 33, jobs: 1_000 });

    await clock.advance(1_000 + GATHER_MS);
    expect(begun.length).toBe(1_100);
    expect(claimed.jobs).toBe(1_100);
  });

  it('jobs that are due are claimed together when they fall due one after the other', async () => {
    const { clock, add, queue, claimed, begun } = createQueue(2_000);
    queue.start();
    await clock.advance(0);
    for (let n = 0; n < 100; n += 1) await add(clock.now() + 1_000 + n);
    await clock.advance(1_100 + GATHER_MS);

    expect(begun.length).toBe(100);
    expect(claimed.queries).toBeLessThan(15);
  });

  it('jobs that are due wait without a timer while the maximum of steps is in progress', async () => {
    const { clock, add, queue, begun, end, leave } = createQueue(2);
    const first = await add(clock.now() - 2);
    const second = await add(clock.now() - 1);
    const third = await add(clock.now());

    queue.start();
    await clock.advance(60_000);

    expect(begun).toEqual([first, second]);
    expect(clock.pending).toBe(0);

    await leave(second);
    await end(second);

    expect(begun).toEqual([first, second, third]);
  });

  it('jobs that are due pause when a step broke, but not beyond a stop, which leaves no timer', async () => {
    const { clock, add, queue, begun, end } = createQueue(10);
    const broken = await add(clock.now());

    queue.start();
    await clock.advance(0);
    await end(broken, 'broken');
    await clock.advance(REST_MS - 1);

    expect(begun).toEqual([broken]);

    await clock.advance(1);
    expect(begun).toEqual([broken, broken]);

    await end(broken, 'broken');
    await queue.stop();

    expect(clock.pending).toBe(0);

    await clock.advance(60_000);
    expect(begun).toHaveLength(2);
  });

  it('jobs that are due are found after the store could not be used for a while', async () => {
    const { clock, add, queue, begun, end, breakDisk } = createQueue(10);
    const first = await add(clock.now());

    queue.start();
    await clock.advance(0);
    breakDisk(true);
    await end(first);
    const second = await add(clock.now());
    await clock.advance(REST_MS - 1);

    expect(begun).toEqual([first]);

    breakDisk(false);
    await clock.advance(1);

    expect(begun.toSorted()).toEqual([first, first, second].toSorted());
  });

  it('jobs that are due are in hand no more after a stop: claimed ones are not begun, others at their end', async () => {
    const { clock, add, queue, begun, end } = createQueue(2);
    const ids = [await add(clock.now()), await add(clock.now())] as const;

    queue.start();
    await clock.advance(0);
    const late = [await add(clock.now()), await add(clock.now())];
    const ended = Promise.all([end(ids[0], 'saved'), end(ids[1], 'broken')]);
    await Promise.all([queue.stop(), ended]);

    expect(begun).toEqual(ids);

    const left = await store.jobs.claim('polls', clock.now(), 10);
    expect(left.map(({ id }) => id).toSorted()).toEqual([...ids, ...late].toSorted());
    expect(clock.pending).toBe(0);
  });

  it('jobs that are due are never forgotten, whatever the order of events', async () => {
    const which = fc.nat({ max: 30 });
    const shift = fc.integer({ min: -3_000, max: 3_000 });
    const action = fc.oneof(
      fc.record({ do: fc.constant('add' as const), shift }),
      fc.record({ do: fc.constant('move' as const), which, shift }),
      fc.record({ do: fc.constant('release' as const), which, shift }),
      fc.record({ do: fc.constant('end' as const), which, how: fc.constantFrom('saved', 'broken') }),
      fc.record({ do: fc.constant('leave' as const), which }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 4_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        async (actions, stepsAtOnce) => {
          const { clock, add, move, leave, end, endAndRelease, steps, queue } = createQueue(stepsAtOnce);
          const jobs = new Set<string>();
          const mayRestUntil = new Map<string, number>();
          /** Whatever is due is in hand, rests, or waits for others to end. */
          const check = async (): Promise<void> => {
            expect(queue.underWay).toBeLessThanOrEqual(stepsAtOnce);
            if (queue.underWay === stepsAtOnce) return;
            for (const id of jobs) {
              const due = (await store.jobs.get(id))?.due ?? Number.POSITIVE_INFINITY;
              const rests = (mayRestUntil.get(id) ?? 0) > clock.now();
              expect(due > clock.now() || steps.has(id) || rests, `${id} is due`).toBe(true);
            }
          };
          queue.start();
          for (const act of actions) {
            const isUnderWay = act.do === 'end' || act.do === 'release';
            const from = [...(isUnderWay ? steps.keys() : jobs)];
            const id = 'which' in act ? (from[act.which % from.length] ?? '') : '';
            if (act.do === 'add') jobs.add(await add(clock.now() + act.shift));
            else if (act.do === 'pass') await clock.advance(act.ms);
            else if (id === '') continue;
            else if (act.do === 'move') await move(id, clock.now() + act.shift);
            else if (act.do === 'leave') {
              jobs.delete(id);
              await leave(id);
            } else if (act.do === 'release' && jobs.has(id)) await endAndRelease(id, clock.now() + act.shift);
            else {
              const how = act.do === 'end' && act.how === 'broken' ? 'broken' : 'saved';
              if (how === 'broken') mayRestUntil.set(id, clock.now() + REST_MS);
              await end(id, how);
            }
            await clock.advance(GATHER_MS);
            await check();
          }
          // From now on every step succeeds: all are begun and none is left.
          for (let round = 0; jobs.size + steps.size > 0 && round < 100; round += 1) {
            for (const id of [...steps.keys()]) {
              if (jobs.delete(id)) await leave(id);
              await end(id);
            }
            await clock.advance(REST_MS);
            await check();
          }
          expect([...jobs]).toEqual([]);
          await queue.stop();
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('the watch over the store', () => {
  let clock: FakeClock;
  let full: boolean;
  let told: string[];
  let recovered: number;
  let causes: unknown[];
  let isMember: boolean;
  let watch: StoreWatch;
  beforeEach(() => {
    clock = createFakeClock();
    full = false;
    told = [];
    recovered = 0;
    causes = [];
    isMember = true;
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

  it('the watch over the store logs once that the store is not writable, and once that it is again', async () => {
    full = true;
    for (let times = 0; times < 3; times += 1) await watch.isStoreFailure(new Error('full'));
    await clock.advance(60_000);

    expect(told).toEqual(['the store is not writable: work is suspended until it is']);

    full = false;
    await clock.advance(2_000);

    expect(told.slice(1)).toEqual(['the store is writable again: work resumes']);
  });

  it('the watch over the store writes pending records first, the latest of each, once', async () => {
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

  it('the watch over the store stays suspended while pending records cannot be written', async () => {
    let fails = true;
    const written: string[] = [];

    watch.writeLater('a', async () => {
      if (fails) throw new Error('full');
      written.push('a');
    });

    expect(await watch.isStoreFailure(new Error('full'))).toBe(true);

    await clock.advance(60_000);
    expect(watch.isWritable()).toBe(false);

    fails = false;
    await clock.advance(2_000);

    expect(written).toEqual(['a']);
    expect(watch.isWritable()).toBe(true);
  });

  it('the watch over the store writes what is added at any moment of a check or of a recovery', async () => {
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
      const before = recovered;
      const adding = Promise.withResolvers<void>();
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

  it('the watch over the store tells what the store itself says, or, where it cannot be asked, what was met', async () => {
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
      async renew() {
        renewals += 1;
        for (const { joined } of watchers) joined?.();
      },
      watch(watcher: MemberWatcher) {
        watchers.add(watcher);
        return () => watchers.delete(watcher);
      },
    };
    const open = (
      takeOver = async () => void happened.push('take up'),
      failed = async (_: unknown) => {},
    ) => {
      happened = [];
      renewals = 0;
      const takeover = createTakeover(clock, members, watch, takeOver, failed);
      takeover.start();
      return takeover;
    };

    it('a takeover looks for work and for the dead every second', async () => {
      const takeover = open();
      await clock.advance(2_000);

      expect(happened).toEqual(['take up', 'take up']);

      await takeover.stop();
      await clock.advance(10_000);

      expect(happened).toHaveLength(2);
      expect(clock.pending).toBe(0);
    });

    it('a takeover does nothing without a session, nor before what is owed to the store is written', async () => {
      const takeover = open();
      const written = Promise.withResolvers<void>();

      watch.writeLater('job', () => written.promise.then(() => happened.push('written')));
      isMember = false;
      for (const { lost } of watchers) lost?.();

      expect(watch.isWritable()).toBe(false);

      await clock.advance(60_000);
      isMember = true;
      for (const { joined } of watchers) joined?.();
      await clock.advance(10_000);

      expect(happened).toEqual([]);
      expect(recovered).toBe(0);

      written.resolve();
      await clock.advance(2_000);

      expect(happened.slice(0, 2)).toEqual(['written', 'take up']);
      expect(recovered).toBe(1);

      await takeover.stop();
      expect(watchers.size).toBe(0);
    });

    it('a takeover takes another id once after claims that were not answered', async () => {
      const takeover = open();
      takeover.renew();
      takeover.renew();
      await clock.advance(3_000);

      expect(renewals).toBe(1);

      await takeover.stop();
    });

    it('a takeover goes on after a failure', async () => {
      const failures: unknown[] = [];
      const takeOver = () => Promise.reject(new Error('away'));
      const takeover = open(takeOver, async (error) => void failures.push(error));

      await clock.advance(6_000);

      expect(failures).toHaveLength(6);

      await takeover.stop();
    });
  });
});
