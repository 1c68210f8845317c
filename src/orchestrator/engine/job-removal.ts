import { type Clock, createRepeat, sleep } from '../../base/clock.ts';
import type { Log } from '../../log/log.ts';
import { cancelled, removed } from '../job/final-states.ts';
import { canStop, hasEnded, type Job } from '../job/job.ts';
import type { ErasureRecords } from '../job/records.ts';
import type { JobContext } from '../steps/effects.ts';
import type { ChangeJob } from './save-job.ts';

/** Lease for deleting a job's messages; longer than that takes. */
const LEASE_MS = 5 * 60_000;

/** Removes jobs and all data of a person, even while a step, a submission or a card edit is under way for a job. */
export function createJobRemoval(
  { records, clock, log }: JobContext,
  erasures: ErasureRecords,
  change: ChangeJob,
) {
  const { now } = clock;
  /**
   * The job with `forget` set, and cancelled where possible: its record is removed once its card shows the final state.
   * An opening job keeps its state until its card, which is being sent, is confirmed.
   */
  const forgotten = (job: Job): Job => {
    if (job.state === 'held') return { ...removed(job, 'content-removed', now()), forget: true };
    const ended = job.state === 'opening' || !canStop(job) ? job : cancelled(job, now());
    return { ...ended, forget: true };
  };
  const forget = async ({ id }: Job): Promise<void> => {
    const found = await change(id, (job) => (job.settled ? undefined : forgotten(job)));
    if (found?.job.settled && !found.isChanged) await records.remove(id);
  };

  const forgetUnfinished = async (person: string): Promise<number> => {
    let count = 0;
    for (const { id, forget } of await records.unfinishedOf(person)) {
      // A job without `forget` was accepted after the erasure began, so it stays.
      if (!forget) continue;
      const found = await change(id, (job) => (hasEnded(job) ? undefined : forgotten(job)));
      if (found?.isChanged) count += 1;
    }
    return count;
  };

  const more: BatchErasureOptions['more'] = async (who, limit) => {
    const batch = await erasures.more(who, limit);
    for (const job of batch.open) await forget(job);
    return batch;
  };
  const erasing = createBatchErasure({ clock, log, pending: erasures.pending, more });

  return {
    /**
     * Prepares a job for the deletion of its card: cancels it if unfinished, or makes sure that its result is not shown
     * again elsewhere.
     */
    withdraw: (id: string) =>
      change(id, (job) => {
        if (canStop(job)) return cancelled(job, now());
        if (job.state === 'held') return { ...removed(job, 'content-removed', now()), withdrawn: true };
        if (!job.settled) return { ...job, withdrawn: true };
        // The lease keeps a settled job from being due while its messages are deleted; if this process dies, the
        // deletion is repeated.
        return job.card === undefined && job.shared?.card === undefined
          ? undefined
          : { ...job, withdrawn: true, settled: false, attempts: 0, due: now() + LEASE_MS };
      }),
    /**
     * Removes a job whose card was deleted, after cancelling it if it is unfinished. Returns false if there is no such
     * job.
     */
    async remove(id: string): Promise<boolean> {
      const found = await change(id, (job) => {
        if (job.card === undefined || !canStop(job)) return undefined;
        const { card: _, ...bare } = job;
        return { ...cancelled(bare, now()), forget: true };
      });
      if (found === undefined || found.isChanged) return found !== undefined;
      if (found.job.card === undefined) await forget(found.job);
      // A step that is drawing the result finds no record to save to, and stops.
      else await records.remove(id);
      return true;
    },
    /**
     * Hides everything that a person has stored, except today's counters, then removes it in batches. `finished`
     * resolves with the number of removed jobs.
     */
    async erase(person: string): Promise<{ readonly finished: Promise<number> }> {
      const who = await erasures.begin(person);
      try {
        // Unfinished jobs are cancelled first; the older records follow in batches.
        const unfinished = await forgetUnfinished(person);
        return { finished: erasing.run(who).then((ended) => unfinished + ended) };
      } catch (error) {
        // The erasure has begun and is durable: jobs that could not be cancelled now are cancelled with the other
        // records.
        void erasing.run(who);
        throw error;
      }
    },
    erasing,
  };
}

export interface BatchErasureOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly more: (who: string, limit: number) => Promise<{ readonly jobs: number; readonly left: boolean }>;
  /** People whose data is not all removed yet. */
  readonly pending: () => Promise<readonly string[]>;
}

/** Records removed in one transaction: some milliseconds of work. */
const BATCH = 50;
const BETWEEN_MS = 20;
const AFTER_FAILURE_MS = 5_000;
/**
 * Interval between two looks for pending erasures. One that is found twice in a row was left by a dead process, or is
 * so large that two processes may share it.
 */
const CHECK_MS = 5_000;

/** Removes a person's data in small batches, so that other work is not delayed. */
export function createBatchErasure({ clock, log, more, pending }: BatchErasureOptions) {
  const running = new Map<string, Promise<number>>();
  const stopping = new AbortController();
  const batches = new Set<Promise<unknown>>();
  let seen: readonly string[] = [];

  const erase = async (who: string): Promise<number> => {
    for (let count = 0; !stopping.signal.aborted; ) {
      const batch = more(who, BATCH).catch((error: unknown) => {
        log.warn({ err: error }, "deleting a person's data failed; retrying");
        return undefined;
      });
      batches.add(batch);
      const done = await batch;
      batches.delete(batch);
      count += done?.jobs ?? 0;
      if (done && !done.left) return count;
      await sleep(clock, done ? BETWEEN_MS : AFTER_FAILURE_MS, stopping.signal).catch(() => undefined);
    }
    return new Promise(() => undefined);
  };

  const run = (who: string): Promise<number> => {
    const before = running.get(who);
    // A second erasure runs after the first one: data stored in between may have been missed by the batch under way.
    const done = before === undefined ? erase(who) : before.then(async (jobs) => jobs + (await erase(who)));
    running.set(who, done);
    void done.then(() => {
      if (running.get(who) === done) running.delete(who);
    });
    return done;
  };
  const check = async (): Promise<void> => {
    const found = await pending();
    for (const who of found) if (seen.includes(who) && !running.has(who)) void run(who);
    seen = found;
  };
  // A failed read is retried at the next look.
  const checks = createRepeat(clock, CHECK_MS, () => check().catch(() => undefined));

  return {
    /**
     * Removes a person's data; the first batch begins at once. Resolves with the number of jobs; never resolves once
     * stopped.
     */
    run,
    /** Resumes all pending erasures, and from then on those that other processes leave. */
    async start(): Promise<void> {
      for (const who of await pending()) void run(who);
      if (!stopping.signal.aborted) checks.start();
    },
    /** Resolves when no batch is under way. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([checks.stop(), ...batches]);
    },
  };
}
