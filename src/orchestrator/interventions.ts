import type { CardRef } from '../command/place.ts';
import type { SaveJob } from './engine/save-job.ts';
import { cancelled } from './job/final-states.ts';
import { canStop, hasEnded, type Job } from './job/job.ts';
import type { JobRecords } from './job/records.ts';
import type { ActiveJobs } from './live/active-jobs.ts';
import { opened, unseen } from './steps/opening.ts';
import { interrupted } from './steps/submit.ts';

/** What happens to a job from outside, whatever is being done for it at that moment. */
export interface Interventions {
  /** Its card is visible: it may proceed. `undefined`: it never will be, so it is called off. */
  shown(id: string, card: CardRef | undefined): void;
  /** Undefined: there is no such job. */
  cancel(id: string): Cancellation | undefined;
  /** Nobody has it in hand, whatever its record says: it goes on from there. */
  takeUp(job: Job): void;
}

export interface Cancellation {
  /** As it stands now. */
  readonly job: Job;
  /** False: it was too late, or cancelled before, and nothing has changed. */
  readonly isNew: boolean;
}

export interface InterventionsParts {
  readonly records: Pick<JobRecords, 'get'>;
  readonly save: SaveJob;
  readonly activeJobs: Pick<ActiveJobs, 'saved'>;
  readonly now: () => number;
  readonly waitingMs: number;
}

export function createInterventions(parts: InterventionsParts): Interventions {
  const { records, save, activeJobs, now } = parts;
  return {
    shown(id, card) {
      const job = records.get(id);
      if (job === undefined || job.card !== undefined) return;
      if (job.state === 'opening') {
        save(job, card === undefined ? unseen(job, now()) : opened(job, card, now(), parts.waitingMs));
      }
      // It ended before its card appeared: the card has to say so.
      else if (hasEnded(job) && card !== undefined) save(job, { ...job, card, settled: false, due: now() });
    },
    cancel(id) {
      const job = records.get(id);
      if (job === undefined || !canStop(job)) return job && { job, isNew: false };
      const latest = save(job, cancelled(job, now())) ?? records.get(id);
      return latest && { job: latest, isNew: latest.state === 'cancelled' };
    },
    takeUp(job) {
      // Whoever was showing its card or its result is no more.
      const isShown = job.state === 'delivering' || (job.state === 'opening' && job.answer !== undefined);
      if (job.state === 'submitting') save(job, interrupted(job, now(), parts.waitingMs));
      else if (isShown) save(job, { ...job, due: now(), attempts: 0 }, 'lossy');
      else activeJobs.saved(job);
    },
  };
}
