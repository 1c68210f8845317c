import type { Job } from '../../../orchestrator/job/job.ts';
import { BEGINNING, type ErasedJobs, type ErasedUpTo, erasedJobs } from '../../records/jobs/erase-jobs.ts';
import type { Database } from '../file/database.ts';
import { columns } from './job-row.ts';
import type { JobReader } from './read-jobs.ts';
import type { RemovedJobs } from './removed-jobs.ts';

/** Removes up to `limit` of a person's records up to a number. */
export type EraseJobs = (
  owner: string,
  upTo: number,
  limit: number,
  from: ErasedUpTo | undefined,
) => ErasedJobs;

export function createEraseJobs(
  { sql, transaction }: Database,
  { unsettled }: Pick<JobReader, 'unsettled'>,
  { removeRow }: Pick<RemovedJobs, 'removeRow'>,
): EraseJobs {
  const erasable = sql.prepare(`
    SELECT created_at, ${columns} FROM jobs WHERE owner = ? AND (created_at, seq) > (?, ?) AND seq <= ?
    ORDER BY created_at, seq LIMIT ?
  `);

  return (owner, upTo, limit, from = BEGINNING) => {
    const rows = erasable.all(owner, from.createdAt, from.seq, upTo, limit);
    const open: Job[] = [];
    let gone = 0;
    transaction(() => {
      for (const row of rows) {
        const job = unsettled(row);
        if (job === undefined) {
          removeRow(row);
          gone += 1;
        } else if (!job.forget) open.push(job);
      }
    });
    return erasedJobs(rows, open, gone, limit, from);
  };
}
