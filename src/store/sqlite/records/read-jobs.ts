import type { Job } from '../../../orchestrator/job/job.ts';
import { reasonOf } from '../../records/damage.ts';
import { erasedJob, openJob } from '../../records/jobs/job-body.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database } from '../file/database.ts';
import type { DamagedRecords } from './damaged-records.ts';
import type { Erasures } from './erasures.ts';
import type { Row } from './job-row.ts';
import type { RemovedJobs } from './removed-jobs.ts';
import type { Usage } from './usage.ts';

export interface JobReader {
  /** Undefined: it is damaged and was set aside, or its person has been erased. */
  read(row: Row): Job | undefined;
  /** Undefined for all that can be removed at once: it need not be readable for that. */
  unsettled(row: Row): Job | undefined;
}

export interface JobReaderParts {
  readonly database: Pick<Database, 'transaction'>;
  readonly seal: Seal;
  readonly usage: Pick<Usage, 'abandon'>;
  readonly erasures: Pick<Erasures, 'marks'>;
  readonly damagedRecords: DamagedRecords;
  readonly removedJobs: Pick<RemovedJobs, 'removeRow'>;
}

export function createJobReader(parts: JobReaderParts): JobReader {
  const { seal, usage, erasures, damagedRecords, removedJobs } = parts;
  const { transaction } = parts.database;

  /** The credits of a record that is lost: what was not sent is not paid for; what may have been is. */
  const abandon = ({ id, owner, community, state }: Row): void => {
    const unsent = state === 'opening' || state === 'waiting';
    usage.abandon(String(id), String(owner), String(community), unsent ? 'returned' : 'spent');
  };
  /** Which card it has, nobody can tell: the card stays as it is. */
  const setAside = (row: Row, error: unknown): void => {
    const record = { kind: 'job', id: String(row.id), why: reasonOf(error) };
    try {
      transaction(() => {
        abandon(row);
        damagedRecords.setAside(record, String(row.owner), row.body);
        removedJobs.removeRow(row);
      });
    } catch {
      // Where nothing can be written now, the next reader tries again.
      damagedRecords.skip(record);
    }
  };

  return {
    read(row) {
      let job: Job;
      try {
        job = openJob(row, seal);
      } catch (error) {
        setAside(row, error);
        return undefined;
      }
      const marks = erasures.marks(String(row.owner));
      return marks === undefined || Number(row.seq) > marks.jobs ? job : erasedJob(job);
    },
    unsettled(row) {
      try {
        const job = openJob(row, seal);
        return job.settled ? undefined : job;
      } catch {
        abandon(row);
        return undefined;
      }
    },
  };
}
