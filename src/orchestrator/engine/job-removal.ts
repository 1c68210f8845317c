import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import { cancelled } from '../job/final-states.ts';
import { canStop, hasEnded, type Job } from '../job/job.ts';
import type { ErasureRecords, JobRecords } from '../job/records.ts';
import { createBatchErasure } from './erase-in-batches.ts';
import type { SaveJob } from './save-job.ts';

/** Removes jobs, whatever is being done for them at that moment. */
export interface JobRemoval {
  /** Before its card is deleted: cancels an unfinished job; a result being delivered is shown nowhere else. */
  withdraw(id: string): void;
  /** Removes a job whose card was deleted; an unfinished one is cancelled. */
  remove(id: string): boolean;
  /**
   * Hides everything that a person has stored, except today's counters, and removes it in batches. Resolves with the number
   * of jobs.
   */
  erase(person: string): Promise<number>;
}

/** Longer than deleting a card takes. */
const LEASE_MS = 5 * 60_000;

export interface JobRemovalParts {
  readonly records: JobRecords;
  readonly erasures: ErasureRecords;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly save: SaveJob;
}

export function createJobRemoval(
  parts: JobRemovalParts,
): JobRemoval & { resumeErasing(): void; stopErasing(): void } {
  const { records, erasures, clock, log, save } = parts;
  const { now } = clock;
  /** The record is removed once its card shows the end; a card that is being sent is waited for. */
  const forget = (job: Job): void => {
    if (job.settled) records.remove(job.id);
    else if (job.state === 'opening' || !canStop(job)) save(job, { ...job, forget: true });
    else save(job, { ...cancelled(job, now()), forget: true });
  };

  const erasing = createBatchErasure({
    clock,
    log,
    more: (who, limit) => {
      const batch = erasures.more(who, limit);
      for (const job of batch.open) forget(job);
      return batch;
    },
  });

  return {
    withdraw(id) {
      const job = records.get(id);
      if (job === undefined) return;
      if (canStop(job)) save(job, cancelled(job, now()));
      else if (!job.settled) save(job, { ...job, withdrawn: true });
      // Not due while the card is being deleted; repeated if the process dies.
      else if (job.card !== undefined)
        save(job, { ...job, withdrawn: true, settled: false, attempts: 0, due: now() + LEASE_MS });
    },
    remove(id) {
      const job = records.get(id);
      if (job === undefined) return false;
      if (job.card === undefined) forget(job);
      // A step that is drawing the result finds no record to save to, and stops.
      else if (!canStop(job)) records.remove(id);
      else {
        const { card: _, ...bare } = job;
        save(job, { ...cancelled(bare, now()), forget: true });
      }
      return true;
    },
    erase(person) {
      const who = erasures.begin(person);
      const done = erasing.run(who);
      // Unfinished jobs are cancelled at once, before the older records are removed.
      const unfinished = records.ofPerson(person, records.countUnfinished(person));
      for (const job of unfinished) if (!hasEnded(job)) forget(job);
      return done;
    },
    resumeErasing() {
      for (const who of erasures.pending()) void erasing.run(who);
    },
    stopErasing: erasing.stop,
  };
}
