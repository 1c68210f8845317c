import { type Clock, createRepeat } from '../../base/clock.ts';
import type { Members } from '../../base/members/members.ts';
import { shiftBack } from '../job/clock-jumps.ts';
import { hasEnded, type Job } from '../job/job.ts';
import { LONGEST_PAUSE_MS } from '../steps/deliver.ts';
import type { JobContext } from '../steps/effects.ts';
import { jobAfterInterruption } from '../steps/submit.ts';
import type { SaveJob } from './save-job.ts';
import type { StoreWatch } from './store-watch.ts';

const CHECK_MS = 1_000;

/**
 * Keeps this process a member of those that share the store: looks every second for work that others have left, and
 * takes over the jobs of dead processes.
 */
export function createTakeover(
  clock: Clock,
  members: Pick<Members, 'renew' | 'watch'>,
  watch: Pick<StoreWatch, 'isWritable' | 'isStoreFailure'>,
  /** Continues work that others have left, and what this process had claimed under a former id. */
  takeOver: () => Promise<void>,
  /** Reports a failed look. Must not reject. */
  failed: (error: unknown) => Promise<void>,
) {
  let unwatch = (): void => undefined;
  let isToRenew = false;

  const tick = async (): Promise<void> => {
    if (!watch.isWritable()) return;
    if (isToRenew) await members.renew();
    await takeOver();
  };
  const ticks = createRepeat(clock, CHECK_MS, () => tick().catch(failed));

  return {
    start(): void {
      unwatch = members.watch({
        lost: () => void watch.isStoreFailure(new Error('The session with the store was lost.')),
        joined() {
          isToRenew = false;
        },
      });
      ticks.start();
    },
    /**
     * Asks for a new session after a claim was not answered: the store may count something as claimed by this process
     * that it does not know of.
     */
    renew(): void {
      isToRenew = true;
    },
    stop(): Promise<void> {
      unwatch();
      return ticks.stop();
    },
  };
}

const MOST_TOLD_SOON = 1_000;
const A_LITTLE_MS = 60_000;

/** Continues jobs from their records when no process works on them any more. */
export function createJobRecovery(
  { records, clock: { now }, deadlines: { waitingMs }, isStopped }: JobContext,
  save: SaveJob,
  known: (job: Job) => void,
  /**
   * Whether this process itself is still sending the job: it was wrongly taken for dead, and will learn the outcome.
   */
  isSending: (id: string) => boolean,
) {
  const recover = async (job: Job): Promise<void> => {
    // The process that was showing the job's card or result is dead, so the step is repeated.
    const isShown = job.state === 'delivering' || (job.state === 'opening' && job.answer !== undefined);
    if (isShown) await save(job, { ...job, due: now(), attempts: 0 }, 'lossy');
    else if (job.state !== 'submitting') known(job);
    else if (!isSending(job.id)) await save(job, jobAfterInterruption(job, now(), waitingMs));
  };
  /** Corrects times that lie ahead because the machine's clock was set back; otherwise the job would wait for them. */
  const withTimesPast = async (job: Job): Promise<Job> => {
    const earlier = shiftBack(job, now());
    return earlier === job ? job : ((await save(job, earlier, 'lossy')) ?? job);
  };
  /** Takes over the jobs of dead processes. */
  const recoverAbandoned = async (): Promise<void> => {
    for await (const job of records.abandoned()) {
      if (isStopped()) return;
      await recover(await withTimesPast(job));
    }
  };
  return {
    recover,
    recoverAbandoned,
    /**
     * At the start of this process: takes over jobs of dead processes, and retries the cards of ended jobs that do not
     * say so yet.
     */
    async recoverAll(): Promise<void> {
      await recoverAbandoned();
      // Retried now, because the next regular retry may be an hour away.
      for (const job of await records.unsettled(now() + LONGEST_PAUSE_MS + A_LITTLE_MS, MOST_TOLD_SOON))
        if (hasEnded(job) && !isStopped()) await save(job, { ...job, due: now(), attempts: 0 }, 'lossy');
    },
  };
}
