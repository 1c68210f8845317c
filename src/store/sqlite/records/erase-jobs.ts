import type { Job } from '../../../orchestrator/job/job.ts';
import type { Database } from '../file/database.ts';
import { columns } from './job-row.ts';
import type { JobReader } from './read-jobs.ts';
import type { RemovedJobs } from './removed-jobs.ts';

export interface ErasedJobs {
  /** How many were gone through. */
  readonly seen: number;
  /** Those of them that are not settled and not yet marked to be forgotten. */
  readonly open: readonly Job[];
  /** How many have gone, or are in `open`. */
  readonly jobs: number;
  /** No job since the beginning was in `open`. */
  readonly isClean: boolean;
  /** Where to go on; undefined: all have been gone through. */
  readonly next: ErasedUpTo | undefined;
}

/** How far the erasing of a person has come: jobs that are not settled yet stay, and are not gone through again. */
export interface ErasedUpTo {
  readonly createdAt: number;
  readonly seq: number;
  readonly isClean: boolean;
}

/** Removes up to `limit` of a person's records up to a number. */
export type EraseJobs = (
  owner: string,
  upTo: number,
  limit: number,
  from: ErasedUpTo | undefined,
) => ErasedJobs;

const beginning: ErasedUpTo = { createdAt: Number.MIN_SAFE_INTEGER, seq: 0, isClean: true };

export function createEraseJobs(
  { sql, transaction }: Database,
  { unsettled }: Pick<JobReader, 'unsettled'>,
  { removeRow }: Pick<RemovedJobs, 'removeRow'>,
): EraseJobs {
  const erasable = sql.prepare(`
    SELECT created_at, ${columns} FROM jobs WHERE owner = ? AND (created_at, seq) > (?, ?) AND seq <= ?
    ORDER BY created_at, seq LIMIT ?
  `);

  return (owner, upTo, limit, from = beginning) => {
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
    const isClean = from.isClean && open.length === 0;
    const last = rows.length < limit ? undefined : rows.at(-1);
    const next = last && { createdAt: Number(last.created_at), seq: Number(last.seq), isClean };
    return { seen: rows.length, open, jobs: gone + open.length, isClean, next };
  };
}
