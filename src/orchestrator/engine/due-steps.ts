import type { Clock } from '../../base/clock.ts';
import type { Job } from '../job/job.ts';
import { type DueKind, dueKindOf, type JobRecords } from '../job/records.ts';
import { createDueJobs, type DueJobs, type StepEnd } from './due-jobs.ts';

/** One queue for each kind, so that what hangs in one holds up nothing in another. */
export interface DueSteps extends Omit<DueJobs, 'expect'> {
  expect(job: Job): void;
  /** Others may have stored what is due. */
  look(): void;
}

export interface DueStepsOptions {
  readonly clock: Clock;
  readonly records: Pick<JobRecords, 'claim' | 'release' | 'nextDue'>;
  readonly step: (job: Job, which: DueKind) => Promise<StepEnd>;
  /** Whether nothing may be claimed. */
  readonly isSuspended: () => boolean;
  /** Whether a poll would only wait for its call. */
  readonly arePollsBusy: () => boolean;
  readonly failed: (error: unknown) => Promise<void>;
  readonly stepsAtOnce: Readonly<Record<DueKind, number>>;
}

export function createDueSteps(options: DueStepsOptions): DueSteps {
  const { clock, records, step, failed, stepsAtOnce } = options;
  const queueFor = (which: DueKind): DueJobs =>
    createDueJobs({
      clock,
      stepsAtOnce: stepsAtOnce[which],
      claim: (now, limit) => records.claim(which, now, limit),
      release: (id) => records.release(which, id),
      nextDue: () => records.nextDue(which),
      step: (job) => step(job, which),
      isBusy: () => options.isSuspended() || (which === 'polls' && options.arePollsBusy()),
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
    look() {
      for (const queue of all) queue.expect(clock.now());
    },
    get inHand() {
      return all.reduce((sum, queue) => sum + queue.inHand, 0);
    },
    async stop() {
      await Promise.all(all.map((queue) => queue.stop()));
    },
  };
}
