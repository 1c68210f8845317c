import type { Log } from '../../log/log.ts';
import { uncertain } from '../job/final-states.ts';
import type { Job } from '../job/job.ts';
import { type JobRecords, ServiceIdTaken } from '../job/records.ts';

/** Stores `after`; undefined: the record has changed since `before` was read, and nothing was written. */
export type SaveJob = (before: Job, after: Job, durability?: 'durable' | 'lossy') => Job | undefined;

export interface SaveJobParts {
  readonly records: Pick<JobRecords, 'save'>;
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
  readonly saved: (job: Job, before: Job) => void;
}

export function createSaveJob({ records, now, log, saved }: SaveJobParts): SaveJob {
  /** An id that another job has would show that job's picture, so the outcome of this run is unknown. */
  const write: SaveJob = (before, after, durability) => {
    try {
      return records.save(before, after, durability);
    } catch (error) {
      if (!(error instanceof ServiceIdTaken) || before.state !== 'submitting') throw error;
      log.warn(
        { job: before.id, kind: before.request.kind, serviceJob: after.serviceId },
        'the service answered a run with the id of another job; this job is uncertain',
      );
      return records.save(before, uncertain(before, now()));
    }
  };

  return (before, after, durability) => {
    const job = write(before, after, durability);
    if (job !== undefined) saved(job, before);
    return job;
  };
}
