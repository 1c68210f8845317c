import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDueSteps } from '../../../../src/orchestrator/engine/due-steps.ts';
import type { Job, RunningJob } from '../../../../src/orchestrator/job/job.ts';
import type { Store } from '../../../../src/store/store.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createStoreFile, sampleJob } from '../../store/open-store.ts';

const REST_MS = 5_000;

let file: ReturnType<typeof createStoreFile>;
let store: Store;
beforeEach(() => {
  file = createStoreFile();
  store = file.open();
});
afterEach(() => file.remove());

/** The queues over the real store; a test ends the steps that they begin, and sees what was read. */
function createQueue(stepsAtOnce: number) {
  const { jobs: records } = store;
  const clock = createFakeClock();
  const steps = new Map<string, (ok: boolean) => void>();
  const begun: string[] = [];
  const read = { queries: 0, rows: 0 };
  let broken = false;
  const queue = createDueSteps({
    clock,
    records: {
      due(...args) {
        if (broken) throw new Error('the disk fails');
        const rows = records.due(...args);
        if (args[0] === 'polls') {
          read.queries += 1;
          read.rows += rows.length;
        }
        return rows;
      },
      nextDue: records.nextDue,
      dueVersion(...args) {
        if (broken) throw new Error('the disk fails');
        return records.dueVersion(...args);
      },
    },
    step: (id, which) => {
      if (which !== 'polls') return new Promise(() => undefined);
      expect(steps.has(id), 'two steps of one job at once').toBe(false);
      begun.push(id);
      return new Promise((resolve) => steps.set(id, resolve));
    },
    failed: () => undefined,
    stepsAtOnce: { polls: stepsAtOnce, results: 1, others: 1 },
  });
  const jobOf = (id: string): Job => records.get(id) ?? expect.fail(`${id} is gone`);
  return {
    clock,
    steps,
    begun,
    read,
    queue,
    breakDisk: (isBroken: boolean) => {
      broken = isBroken;
    },
    add(due: number): string {
      const job = sampleJob({ state: 'running', due });
      records.insert(job);
      queue.expect(job);
      return job.id;
    },
    save(id: string, change: Partial<Pick<RunningJob, 'due'>>): void {
      const saved = records.save(jobOf(id), { ...jobOf(id), ...change } as Job, 'lossy');
      queue.expect(saved ?? expect.fail('the record has changed'));
    },
    /** Nobody polls it any more. */
    leave(id: string): void {
      records.remove(id);
    },
    async end(id: string, ok = true): Promise<void> {
      const resolve = steps.get(id) ?? expect.fail(`${id} is not in hand`);
      steps.delete(id);
      resolve(ok);
      await clock.advance(0);
    },
  };
}

describe('jobs that are due', () => {
  it('are read once each, however many are in progress', async () => {
    const { clock, add, queue, read, begun, save, end } = createQueue(2_000);
    const ids = Array.from({ length: 1_000 }, () => add(clock.now()));
    queue.start();
    await clock.advance(0);
    expect(begun).toEqual(ids);
    expect(read).toEqual({ queries: 4, rows: 1_000 });
    for (const id of ids.slice(0, 100)) {
      await clock.advance(1);
      save(id, { due: clock.now() + 1_000 });
      await end(id);
    }
    expect(read).toEqual({ queries: 4, rows: 1_000 });
    await clock.advance(1_000);
    expect(begun.length).toBe(1_100);
    expect(read.rows).toBe(1_100);
    expect(read.queries).toBeLessThanOrEqual(104);
  });

  it('wait without a timer while the maximum of steps is in progress', async () => {
    const { clock, add, queue, begun, end, leave } = createQueue(2);
    const [first, second, third] = [add(clock.now()), add(clock.now()), add(clock.now())];
    queue.start();
    await clock.advance(60_000);
    expect(begun).toEqual([first, second]);
    expect(clock.pending).toBe(0);
    leave(second);
    await end(second);
    expect(begun).toEqual([first, second, third]);
  });

  it('pause when a step changed nothing, or threw', async () => {
    const { clock, add, queue, begun, end } = createQueue(10);
    const [idle, broken] = [add(clock.now()), add(clock.now())];
    queue.start();
    await end(idle);
    await end(broken, false);
    await clock.advance(REST_MS - 1);
    expect(begun).toEqual([idle, broken]);
    await clock.advance(1);
    expect(begun).toEqual([idle, broken, idle, broken]);
  });

  it('are stepped again immediately when they changed meanwhile and are due', async () => {
    const { clock, add, queue, begun, end, save } = createQueue(10);
    const [other, changed] = [add(clock.now() - 10), add(clock.now())];
    queue.start();
    // By somebody else, so that the step could not save; found by a claim while it is in hand.
    save(changed, { due: clock.now() - 20 });
    const third = add(clock.now());
    await end(changed);
    expect(begun).toEqual([other, changed, third, changed]);
    save(changed, { due: clock.now() + 500 });
    await end(changed);
    await clock.advance(499);
    expect(begun.length).toBe(4);
    await clock.advance(1);
    expect(begun.length).toBe(5);
  });

  it('are found when their time is moved to before what was read last', async () => {
    const { clock, add, queue, begun, save } = createQueue(10);
    const [now, later] = [add(clock.now()), add(clock.now() + 60_000)];
    queue.start();
    await clock.advance(1_000);
    save(later, { due: clock.now() - 10_000 });
    expect(begun).toEqual([now, later]);
  });

  it('are found after the store could not be read for a while', async () => {
    const { clock, add, queue, begun, end, breakDisk } = createQueue(10);
    const first = add(clock.now());
    queue.start();
    breakDisk(true);
    await end(first);
    const second = add(clock.now());
    await clock.advance(REST_MS - 1);
    breakDisk(false);
    await clock.advance(1);
    expect(begun.toSorted()).toEqual([first, first, second]);
  });

  it('are never forgotten, whatever the order of events', async () => {
    const which = fc.nat({ max: 30 });
    const shift = fc.integer({ min: -3_000, max: 3_000 });
    const action = fc.oneof(
      fc.record({ do: fc.constant('add' as const), shift }),
      fc.record({ do: fc.constant('move' as const), which, shift }),
      fc.record({ do: fc.constant('end' as const), which, shift: fc.option(shift), ok: fc.boolean() }),
      fc.record({ do: fc.constant('leave' as const), which }),
      fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 4_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 60 }),
        fc.integer({ min: 1, max: 6 }),
        async (actions, stepsAtOnce) => {
          const { clock, add, save, leave, end, steps, queue } = createQueue(stepsAtOnce);
          const jobs = new Set<string>();
          const mayRestUntil = new Map<string, number>();
          const isDue = (id: string): boolean =>
            (store.jobs.get(id)?.due ?? Number.POSITIVE_INFINITY) <= clock.now();
          const mayRest = (id: string): boolean => (mayRestUntil.get(id) ?? 0) > clock.now();
          /** Whatever is due is in hand, rests, or waits for others to end. */
          const check = (): void => {
            expect(queue.inHand).toBeLessThanOrEqual(stepsAtOnce);
            if (queue.inHand === stepsAtOnce) return;
            const idle = [...jobs].filter((id) => isDue(id) && !steps.has(id) && !mayRest(id));
            expect(idle).toEqual([]);
          };
          queue.start();
          for (const act of actions) {
            const from = [...('which' in act ? (act.do === 'end' ? steps.keys() : jobs) : [])];
            const id = 'which' in act ? (from[act.which % from.length] ?? '') : '';
            if (act.do === 'add') jobs.add(add(clock.now() + act.shift));
            else if (act.do === 'pass') await clock.advance(act.ms);
            else if (id === '') continue;
            else if (act.do === 'move') save(id, { due: clock.now() + act.shift });
            else if (act.do === 'leave') {
              jobs.delete(id);
              leave(id);
            } else {
              const due = act.shift === null || !jobs.has(id) ? undefined : clock.now() + act.shift;
              if (due !== undefined) save(id, { due });
              if (due === undefined || !act.ok) mayRestUntil.set(id, clock.now() + REST_MS);
              await end(id, act.ok);
            }
            await clock.advance(0);
            check();
          }
          // From now on every step succeeds: all are begun and none is left.
          for (let round = 0; jobs.size + steps.size > 0 && round < 100; round += 1) {
            for (const id of [...steps.keys()]) {
              if (jobs.delete(id)) leave(id);
              await end(id);
            }
            await clock.advance(REST_MS);
            check();
          }
          expect([...jobs]).toEqual([]);
          await queue.stop();
        },
      ),
      { numRuns: 50 },
    );
  });
});
