import type { Job } from '../../orchestrator/job/job.ts';
import { candidateOf, candidateQuery, createJobSearch, type JobSearch } from '../records/jobs/job-search.ts';
import type { Driver } from './driver.ts';
import { JOB_COLUMNS, type JobRows } from './job-rows.ts';

export function createSearch(
  { query, sql }: Pick<Driver, 'query' | 'sql'>,
  { read }: Pick<JobRows, 'read'>,
  blind: (id: string) => string,
): JobSearch {
  return createJobSearch({
    blind,
    async candidates(wanted, limit, after) {
      const { text, values } = candidateQuery(wanted, after, sql.unfinishedJobs, blind, limit);
      return (await query(text, values)).map(candidateOf);
    },
    async open(seqs) {
      const jobs = new Map<number, Job>();
      if (seqs.length === 0) return jobs;
      const some = `SELECT ${JOB_COLUMNS} FROM jobs WHERE seq IN (SELECT value FROM ${sql.list('$1', 'bigint')})`;
      for (const row of await query(some, [seqs])) {
        const job = await read(row);
        if (job !== undefined) jobs.set(Number(row.seq), job);
      }
      return jobs;
    },
  });
}
