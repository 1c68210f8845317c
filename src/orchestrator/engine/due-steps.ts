import type { Clock } from '../../base/clock.ts';
import type { Job } from '../job/job.ts';
import type { DueKind, JobRecords } from '../job/records.ts';
import { createDueJobs, type DueJobs } from './due-jobs.ts';

/** One queue for each kind, so that what hangs in one holds up nothing in another. */
export interface DueSteps extends Omit<DueJobs, 'expect'> {
  expect(job: Job): void;
}

export interface DueStepsOptions {
  readonly clock: Clock;
  readonly records: Pick<JobRecords, 'due' | 'nextDue' | 'dueVersion'>;
  readonly step: (id: string, which: DueKind) => Promise<boolean>;
  readonly failed: (error: unknown) => void;
  readonly stepsAtOnce: Readonly<Record<DueKind, number>>;
}

export function dueKindOf(state: Job['state']): DueKind {
  if (state === 'running') return 'polls';
  return state === 'delivering' ? 'results' : 'others';
}

export function createDueSteps({ clock, records, step, failed, stepsAtOnce }: DueStepsOptions): DueSteps {
  const queueFor = (which: DueKind): DueJobs =>
    createDueJobs({
      clock,
      stepsAtOnce: stepsAtOnce[which],
      due: (now, limit, after) => records.due(which, now, limit, after),
      dueVersion: (id, now) => records.dueVersion(which, id, now),
      nextDue: (after) => records.nextDue(which, after),
      step: (id) => step(id, which),
      failed,
    });
  const queues = {
    others: queueFor('others'),
    results: queueFor('results'),
    polls: queueFor('polls'),
  };
  const all = Object.values(queues);
  return {
    start() {
      for (const queue of all) queue.start();
    },
    expect({ state, due }) {
      if (due !== undefined) queues[dueKindOf(state)].expect(due);
    },
    get inHand() {
      return all.reduce((sum, queue) => sum + queue.inHand, 0);
    },
    async stop() {
      await Promise.all(all.map((queue) => queue.stop()));
    },
  };
}
