import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import type { JobRecords } from '../job/records.ts';
import { within } from '../job/with-timeout.ts';
import type { Ports } from '../steps/effects.ts';
import type { CardRefreshOptions } from './card-refresh.ts';

export interface ProgressEditParts {
  readonly clock: Clock;
  readonly records: Pick<JobRecords, 'get'>;
  readonly ports: Pick<Ports, 'draw'>;
  readonly log: Pick<Log, 'warn'>;
}

const EDIT_MS = 30_000;

/** An edit that shows how far a job is, unless it has come to its end. Never rejects. */
export const createProgressEdit =
  ({ clock, records, ports, log }: ProgressEditParts): CardRefreshOptions['draw'] =>
  async (id, jobStatus) => {
    try {
      const job = await records.get(id);
      if (job?.card === undefined || !['waiting', 'submitting', 'running'].includes(job.state)) return true;
      const drawn = await within(clock, EDIT_MS, () => ports.draw(job, jobStatus, 'cosmetic'));
      return drawn.state !== 'later';
    } catch (error) {
      log.warn({ err: error, job: id }, 'a progress edit failed');
      return false;
    }
  };
