import type { Job } from '../../../orchestrator/job/job.ts';
import {
  candidateOf,
  candidateQuery,
  createJobSearch,
  type JobSearch,
} from '../../records/jobs/job-search.ts';
import type { Query } from '../database/database.ts';
import { columns, type JobReader } from './read-jobs.ts';

/** `OFFSET 0`: planned by itself, so that all jobs are not read in order to find the few that are unfinished. */
const DIALECT = {
  unfinished: '(SELECT * FROM jobs WHERE finished_at IS NULL OFFSET 0) AS jobs',
  community: 'community COLLATE "C"',
};

export function createSearch(
  query: Query,
  { read }: Pick<JobReader, 'read'>,
  blind: (id: string) => string,
): JobSearch {
  return createJobSearch({
    blind,
    async candidates(wanted, limit, after) {
      const { text, values } = candidateQuery(wanted, after, DIALECT, blind, limit);
      return (await query(text, values)).map(candidateOf);
    },
    async open(seqs) {
      const jobs = new Map<number, Job>();
      if (seqs.length === 0) return jobs;
      for (const row of await query(`SELECT ${columns} FROM jobs j WHERE j.seq = ANY ($1)`, [seqs])) {
        const job = await read(row);
        if (job !== undefined) jobs.set(Number(row.seq), job);
      }
      return jobs;
    },
  });
}
