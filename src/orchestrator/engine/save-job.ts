import { addTo } from '../../base/add-to.ts';
import { uncertain } from '../job/final-states.ts';
import { type Job, noted } from '../job/job.ts';
import { type JobRecords, ServiceIdTaken } from '../job/records.ts';
import type { JobContext } from '../steps/effects.ts';

/** Stores `after`; undefined: the record has changed since `before` was read, and nothing was written. */
export type SaveJob = JobRecords['save'];

/** Reads a job unless it is given, asks `decide` what becomes of it, and saves that; undefined: there is no such job. */
export type ChangeJob = (
  job: string | Job,
  decide: (job: Job) => Job | undefined,
) => Promise<{ readonly job: Job; readonly isChanged: boolean } | undefined>;

/** Only those of jobs that another process has taken over are left; they are not worth more memory. */
const MOST_JOBS = 10_000;

export function createSaveJob(
  { records, clock: { now }, log }: JobContext,
  saved: (job: Job, before: Job) => void,
) {
  /** Status calls that stand in no record yet: the next write of their job counts them, so they cost none of their own. */
  const statusCalls = new Map<string, number>();
  /** An id that another job has would show that job's picture, so the outcome of this run is unknown. */
  const write: SaveJob = async (before, after, ...how) => {
    try {
      return await records.save(before, noted(before, after, now()), ...how);
    } catch (error) {
      if (!(error instanceof ServiceIdTaken) || before.state !== 'submitting') throw error;
      log.warn(
        { job: before.id, kind: before.request.kind, serviceJob: after.serviceId },
        'the service answered a run with the id of another job; this job is uncertain',
      );
      return records.save(before, noted(before, uncertain(before, now()), now()));
    }
  };

  const save: SaveJob = async (before, after, ...how) => {
    const calls = statusCalls.get(before.id) ?? 0;
    const job = await write(before, { ...after, looks: after.looks + calls }, ...how);
    if (job !== undefined) {
      addTo(statusCalls, before.id, -calls);
      saved(job, before);
    }
    return job;
  };
  const change: ChangeJob = async (given, decide) => {
    const id = typeof given === 'string' ? given : given.id;
    for (let job = typeof given === 'string' ? await records.get(id) : given; job !== undefined; ) {
      const next = decide(job);
      if (next === undefined) return { job, isChanged: false };
      const saved = await save(job, next);
      if (saved !== undefined) return { job: saved, isChanged: true };
      // A step has changed it meanwhile.
      job = await records.get(id);
    }
    return undefined;
  };

  return {
    save,
    change,
    /** A status call of this job begins. */
    statusCalled(id: string): void {
      if (statusCalls.size >= MOST_JOBS) statusCalls.clear();
      addTo(statusCalls, id, 1);
    },
  };
}
