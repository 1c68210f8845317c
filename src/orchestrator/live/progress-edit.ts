import { backoff } from '../../base/backoff.ts';
import { sleep, waitAtMost, withTimeout } from '../../base/clock.ts';
import { hasEnded, isActive, type Job } from '../job/job.ts';
import type { JobContext, OrchestratorPorts } from '../steps/effects.ts';
import type { CardRefreshOptions } from './card-refresh.ts';

const EDIT_MS = 30_000;

/** First interval of the checks: a result that another process has just shown is stored after about this time. */
const END_CHECK_MS = 1_000;
/** Longest interval of the checks, reached when the store or the platform does not answer. */
const LONGEST_CHECK_MS = 30_000;
/** Checks for about six minutes. A result that is not stored by then is drawn again later, after this edit. */
const MOST_CHECKS = 16;
/** How long the edits of other cards wait for this check. */
const END_AWAITED_MS = 5_000;

/** Creates the edit that shows how far a job is, unless it has ended. Never rejects. */
export function createProgressEdit(common: JobContext): CardRefreshOptions['draw'] {
  const { clock, records, ports, log, isShared, isStopped } = common;

  /** Whether the card shows the end or will be edited once more; if not, it must be checked again. */
  const isEndShown = async (id: string, checks: number): Promise<boolean> => {
    const job = await records.get(id);
    if (job?.card === undefined || isActive(job)) return true;
    if (!hasEnded(job) && job.state !== 'held') return checks >= MOST_CHECKS;
    // A final edit without a picture would remove the result from the card.
    const importance = job.state === 'done' ? 'cosmetic' : 'final';
    return (await withTimeout(clock, EDIT_MS, () => ports.draw(job, {}, importance))).state !== 'later';
  };
  /**
   * Makes sure that the card shows the end, with retries: another process may have shown it just before this edit overwrote it.
   * `ending`: this process waits for this edit and shows the end itself.
   */
  const showEnd = async (id: string, ending: AbortSignal): Promise<void> => {
    for (let checks = 0; ; checks += 1) {
      if (ending.aborted || isStopped() || (await isEndShown(id, checks).catch(() => false))) return;
      await sleep(clock, backoff(checks, END_CHECK_MS, LONGEST_CHECK_MS), ending).catch(() => undefined);
    }
  };
  const edit = async (job: Job, jobStatus: Parameters<OrchestratorPorts['draw']>[1]): Promise<boolean> =>
    (await withTimeout(clock, EDIT_MS, () => ports.draw(job, jobStatus, 'cosmetic'))).state !== 'later';

  return async (id, jobStatus, ending) => {
    const failed = (error: unknown): false => {
      log.warn({ err: error, job: id }, 'a progress edit failed');
      return false;
    };
    try {
      const job = await records.get(id);
      if (job?.card === undefined || !isActive(job)) return true;
      const isSeen = await edit(job, jobStatus).catch(failed);
      if (isShared) await waitAtMost(clock, END_AWAITED_MS, showEnd(id, ending));
      return isSeen;
    } catch (error) {
      return failed(error);
    }
  };
}
