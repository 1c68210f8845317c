import { backoff } from '../../base/backoff.ts';
import { sleep, waitAtMost, within } from '../../base/clock.ts';
import { hasEnded, isActive, type Job } from '../job/job.ts';
import type { JobContext, OrchestratorPorts } from '../steps/effects.ts';
import type { CardRefreshOptions } from './card-refresh.ts';

const EDIT_MS = 30_000;

/** A result that another process has just shown is written down about now. */
const END_CHECK_MS = 1_000;
/** Then the store or the platform is away. */
const LONGEST_CHECK_MS = 30_000;
/** About six minutes: a result that is not written down by then is drawn once more, after this edit. */
const MOST_CHECKS = 16;
/** How long other cards wait for this one. */
const END_AWAITED_MS = 5_000;

/** An edit that shows how far a job is, unless it has come to its end. Never rejects. */
export function createProgressEdit(common: JobContext): CardRefreshOptions['draw'] {
  const { clock, records, ports, log, isShared, isStopped } = common;

  /** Whether the card shows the end, or will be edited once more; otherwise it must be checked again. */
  const isEndShown = async (id: string, checks: number): Promise<boolean> => {
    const job = await records.get(id);
    if (job?.card === undefined || isActive(job)) return true;
    if (!hasEnded(job)) return checks >= MOST_CHECKS;
    // A final edit without a picture would remove the result.
    const importance = job.state === 'done' ? 'cosmetic' : 'final';
    return (await within(clock, EDIT_MS, () => ports.draw(job, {}, importance))).state !== 'later';
  };
  /**
   * Another process may have shown the end just before this edit overwrote it: then the end is shown again, even after
   * failures. `ending`: the end waits for this edit.
   */
  const showEnd = async (id: string, ending: AbortSignal): Promise<void> => {
    for (let checks = 0; ; checks += 1) {
      if (ending.aborted || isStopped() || (await isEndShown(id, checks).catch(() => false))) return;
      await sleep(clock, backoff(checks, END_CHECK_MS, LONGEST_CHECK_MS), ending).catch(() => undefined);
    }
  };
  const edit = async (job: Job, jobStatus: Parameters<OrchestratorPorts['draw']>[1]): Promise<boolean> =>
    (await within(clock, EDIT_MS, () => ports.draw(job, jobStatus, 'cosmetic'))).state !== 'later';

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
