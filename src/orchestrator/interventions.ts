import type { CardRef } from '../command/place.ts';
import type { ChangeJob, SaveJob } from './engine/save-job.ts';
import { cancelled } from './job/final-states.ts';
import { canStop, type DoneJob, hasEnded, type Job } from './job/job.ts';
import type { ActiveJobs } from './live/active-jobs.ts';
import { opened, unseen } from './steps/opening.ts';
import { interrupted } from './steps/submit.ts';

/** What happens to a job from outside, whatever is being done for it at that moment. */
export interface Interventions {
  /** Its card is visible: it may proceed. `undefined`: it never will be, so it is called off. */
  shown(id: string, card: CardRef | undefined): Promise<void>;
  /** Undefined: there is no such job. */
  cancel(id: string): Promise<Cancellation | undefined>;
  /** Its result is about to be shown to everybody. False: that was begun before, or it is being deleted. */
  beginSharing(id: string, at: number): Promise<boolean>;
  /** What may have been begun at this time was not sent. */
  takeBackSharing(id: string, at: number): Promise<void>;
  /** `card`: the message that everybody sees; undefined: there is certainly none. False: it was deleted meanwhile. */
  endSharing(id: string, card: CardRef | undefined): Promise<boolean>;
  /** Nobody has it in hand, whatever its record says: it goes on from there. */
  takeUp(job: Job): Promise<void>;
}

export interface Cancellation {
  /** As it stands now. */
  readonly job: Job;
  /** False: it was too late, or cancelled before, and nothing has changed. */
  readonly isNew: boolean;
}

export interface InterventionsParts {
  readonly save: SaveJob;
  readonly change: ChangeJob;
  readonly activeJobs: Pick<ActiveJobs, 'saved'>;
  readonly now: () => number;
  readonly waitingMs: number;
}

function canShow(job: Job): job is DoneJob {
  return job.state === 'done' && !job.withdrawn && !job.forget;
}

export function createInterventions(parts: InterventionsParts): Interventions {
  const { save, change, activeJobs, now } = parts;
  return {
    async shown(id, card) {
      await change(id, (job) => {
        if (job.card !== undefined) return undefined;
        if (job.state === 'opening')
          return card === undefined ? unseen(job, now()) : opened(job, card, now(), parts.waitingMs);
        // It ended before its card appeared: the card has to say so.
        return hasEnded(job) && card !== undefined ? { ...job, card, settled: false, due: now() } : undefined;
      });
    },
    async cancel(id) {
      const found = await change(id, (job) => (canStop(job) ? cancelled(job, now()) : undefined));
      return found && { job: found.job, isNew: found.isChanged };
    },
    async beginSharing(id, at) {
      const found = await change(id, (job) =>
        canShow(job) && job.shared === undefined ? { ...job, shared: { at } } : undefined,
      );
      return found?.isChanged ?? false;
    },
    async takeBackSharing(id, at) {
      await change(id, (job) => {
        if (job.state !== 'done' || job.shared?.at !== at) return undefined;
        const { shared: _, ...rest } = job;
        return rest;
      });
    },
    async endSharing(id, card) {
      const found = await change(id, (job) => {
        if (!canShow(job)) return undefined;
        const { shared = { at: now() }, ...rest } = job;
        return card === undefined ? rest : { ...rest, shared: { ...shared, card } };
      });
      return found?.isChanged ?? false;
    },
    async takeUp(job) {
      // Whoever was showing its card or its result is no more.
      const isShown = job.state === 'delivering' || (job.state === 'opening' && job.answer !== undefined);
      if (job.state === 'submitting') await save(job, interrupted(job, now(), parts.waitingMs));
      else if (isShown) await save(job, { ...job, due: now(), attempts: 0 }, 'lossy');
      else activeJobs.saved(job);
    },
  };
}
