import { type Clock, sleep } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import { hasEnded, type Job } from '../job/job.ts';
import type { JobRecords } from '../job/records.ts';
import { within } from '../job/with-timeout.ts';
import type { Ports } from '../steps/effects.ts';
import type { CardRefreshOptions } from './card-refresh.ts';

export interface ProgressEditParts {
  readonly clock: Clock;
  readonly records: Pick<JobRecords, 'get'>;
  readonly ports: Pick<Ports, 'draw'>;
  readonly log: Pick<Log, 'warn'>;
  /** Whether other processes show the ends of jobs, too. */
  readonly isShared: boolean;
}

const EDIT_MS = 30_000;

/** A result that another process has just shown is written down about now. */
const END_CHECKS = 5;
const END_CHECK_MS = 1_000;

const isActive = ({ state }: Job): boolean => ['waiting', 'submitting', 'running'].includes(state);

/** An edit that shows how far a job is, unless it has come to its end. Never rejects. */
export function createProgressEdit(parts: ProgressEditParts): CardRefreshOptions['draw'] {
  const { clock, records, ports, log, isShared } = parts;

  /** Another process may have shown the end just before this edit, which has then overwritten it. */
  const showEnd = async (id: string, ending: AbortSignal): Promise<void> => {
    for (let check = 0; check < END_CHECKS; check += 1) {
      if (check > 0) await sleep(clock, END_CHECK_MS, ending).catch(() => undefined);
      // The end waits for this edit.
      if (ending.aborted) return;
      const job = await records.get(id);
      if (job?.card === undefined || isActive(job)) return;
      if (!hasEnded(job)) continue;
      // A final edit without a picture would remove the result.
      const importance = job.state === 'done' ? 'cosmetic' : 'final';
      const drawn = await within(clock, EDIT_MS, () => ports.draw(job, {}, importance));
      if (drawn.state !== 'later') return;
    }
  };

  return async (id, jobStatus, ending) => {
    try {
      const job = await records.get(id);
      if (job?.card === undefined || !isActive(job)) return true;
      const drawn = await within(clock, EDIT_MS, () => ports.draw(job, jobStatus, 'cosmetic'));
      if (isShared) await showEnd(id, ending);
      return drawn.state !== 'later';
    } catch (error) {
      log.warn({ err: error, job: id }, 'a progress edit failed');
      return false;
    }
  };
}
