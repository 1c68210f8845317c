import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import { cancelled } from '../job/final-states.ts';
import { canStop, hasEnded, type Job } from '../job/job.ts';
import type { ErasureRecords, JobRecords } from '../job/records.ts';
import { createBatchErasure } from './erase-in-batches.ts';
import type { SaveJob } from './save-job.ts';

/** Takes jobs out of the records, whatever is being done for them at that moment. */
export interface JobRemoval {
  /** Its card is about to go: one under way is cancelled, a result in hand is offered nowhere else. */
  withdraw(id: string): void;
  /** Takes a job whose card has gone out of the records; one under way is cancelled. */
  remove(id: string): boolean;
  /**
   * Everything of a person's but today's counters: from now on nothing of it is shown, and it is removed bit by bit.
   * Resolves when all has gone, with the number of jobs.
   */
  erase(person: string): Promise<number>;
}

/** Longer than it takes to take a card out of a chat. */
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
  /** Nothing is left of it once its card says how it ended; a card on its way to the chat is waited for. */
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
      // Not due while that is done from here. Should we die over it, it is done again.
      else if (job.card !== undefined)
        save(job, { ...job, withdrawn: true, settled: false, attempts: 0, due: now() + LEASE_MS });
    },
    remove(id) {
      const job = records.get(id);
      if (job === undefined) return false;
      if (job.card === undefined) forget(job);
      // Whoever is drawing the result at this moment finds no record to write to, and leaves it at that.
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
      // Those under way are called off at once, however many records there are before them.
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
