import { addTo } from '../../base/add-to.ts';
import { uncertain } from '../job/final-states.ts';
import { type Job, noted } from '../job/job.ts';
import { type JobRecords, ServiceIdTaken } from '../job/records.ts';
import type { JobContext } from '../steps/effects.ts';

/**
 * Replaces `before` by `after` (compare-and-set). Undefined: the record has changed since `before` was read, and
 * nothing was written.
 */
export type SaveJob = JobRecords['save'];

/**
 * Read-modify-write of a job: `decide` returns the new job, or undefined to leave it unchanged, and is called again
 * after a conflict. Undefined: there is no such job.
 */
export type ChangeJob = (
  job: string | Job,
  decide: (job: Job) => Job | undefined,
) => Promise<{ readonly job: Job; readonly isChanged: boolean } | undefined>;

/** Bound of the counters in memory; entries that stay belong to jobs that another process has taken over. */
const MOST_JOBS = 10_000;

/** Creates the functions through which every change of a job is written. `saved` is called after each write. */
export function createSaveJob(
  { records, clock: { now }, log }: JobContext,
  saved: (job: Job, before: Job) => void,
) {
  /**
   * Status calls that are in no record yet. The next write of their job adds them, so that counting costs no write of
   * its own.
   */
  const statusCalls = new Map<string, number>();
  /**
   * A job id of the service that another job already has would lead to that job's picture, so this job becomes
   * uncertain instead.
   */
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
      // The write was refused because the record has changed: read it again and retry.
      job = await records.get(id);
    }
    return undefined;
  };

  return {
    save,
    change,
    /** Counts a status call of this job. */
    statusCalled(id: string): void {
      if (statusCalls.size >= MOST_JOBS) statusCalls.clear();
      addTo(statusCalls, id, 1);
    },
  };
}
