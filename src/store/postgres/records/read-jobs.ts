import type { Job } from '../../../orchestrator/job/job.ts';
import { reasonOf } from '../../records/damage.ts';
import { erasedJob, LONGEST_BODY, openJob } from '../../records/jobs/job-body.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database, Row } from '../database/database.ts';
import type { DamagedRecords } from './damaged-records.ts';

/** Of `jobs AS j`. `erased`: its person is being erased. */
export const columns = `j.seq, j.id, j.owner, j.community, j.state, j.version, length(j.body) AS length,
  CASE WHEN length(j.body) <= ${LONGEST_BODY} THEN j.body END AS body,
  EXISTS (SELECT FROM erasures e WHERE e.person = j.owner AND NOT e.finished AND j.seq <= e.jobs) AS erased`;

export interface JobReader {
  /** Undefined: it is damaged and was set aside, or its person has been erased. */
  read(row: Row): Promise<Job | undefined>;
  readAll(rows: readonly Row[]): Promise<Job[]>;
}

export interface JobReaderParts {
  readonly database: Pick<Database, 'query'>;
  readonly seal: Seal;
  readonly damagedRecords: DamagedRecords;
  readonly now: () => number;
}

export function createJobReader({ database, seal, damagedRecords, now }: JobReaderParts): JobReader {
  /** Which card it has, nobody can tell: the card stays as it is. */
  const setAside = async (row: Row, error: unknown): Promise<void> => {
    const record = { kind: 'job', id: String(row.id), why: reasonOf(error) };
    try {
      const [done] = await database.query('SELECT set_job_aside($1, $2, $3, $4) AS done', [
        row.seq,
        row.version,
        record.why,
        now(),
      ]);
      if (done?.done === true) damagedRecords.found(record);
    } catch {
      // Where nothing can be written now, the next reader tries again.
      damagedRecords.skip(record);
    }
  };
  const read = async (row: Row): Promise<Job | undefined> => {
    try {
      const job = openJob(row, seal);
      return row.erased === true ? erasedJob(job) : job;
    } catch (error) {
      await setAside(row, error);
      return undefined;
    }
  };
  return {
    read,
    async readAll(rows) {
      const jobs: Job[] = [];
      for (const row of rows) {
        const job = await read(row);
        if (job !== undefined) jobs.push(job);
      }
      return jobs;
    },
  };
}
