import { dayOf } from './day.ts';
import { cancelled } from './endings.ts';
import { canStop, type Job } from './job.ts';
import type { JobRecords, UsageRecords } from './records.ts';

/** Takes jobs out of the records, whatever is being done for them at that moment. */
export interface Forgetting {
  /** Its card is about to go: one under way is cancelled, a result in hand is offered nowhere else. */
  withdraw(id: string): void;
  /** Takes a job whose card has gone out of the records; one under way is cancelled. */
  remove(id: string): boolean;
  /** Everything of a person's but today's counters; says how many records go. */
  erase(person: string): number;
}

/** Longer than it takes to take a card out of a chat. */
const LEASE_MS = 5 * 60_000;

export interface ForgettingParts {
  readonly records: JobRecords;
  readonly usage: UsageRecords;
  readonly save: (before: Job, after: Job) => Job | undefined;
  readonly now: () => number;
}

export function createForgetting({ records, usage, save, now }: ForgettingParts): Forgetting {
  /** Nothing is left of it once its card says how it ended; a card on its way to the chat is waited for. */
  const forget = (job: Job): void => {
    if (job.settled) records.remove(job.id);
    else if (job.state === 'opening' || !canStop(job)) save(job, { ...job, forget: true });
    else save(job, { ...cancelled(job, now()), forget: true });
  };

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
      const { card, ...bare } = job;
      if (card === undefined) forget(job);
      // Whoever is drawing the result at this moment finds no record to write to, and leaves it at that.
      else if (!canStop(job)) records.remove(id);
      else save(job, { ...cancelled(bare, now()), forget: true });
      return true;
    },
    erase(person) {
      const all = records.everyOf(person);
      for (const job of all.filter(({ settled }) => !settled)) forget(job);
      // Most of them are finished: all those go with one write to the disk.
      records.transaction(() => {
        for (const job of all.filter(({ settled }) => settled)) forget(job);
        usage.forget(person, dayOf(now()));
      });
      return all.length;
    },
  };
}
