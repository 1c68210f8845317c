import { jitteredBackoff } from '../../base/backoff.ts';
import type { CardRef } from '../../command/place.ts';
import { cancelled } from '../job/final-states.ts';
import type { CancelledJob, OpeningJob, WaitingJob } from '../job/job.ts';
import type { Effects } from './effects.ts';
import { inLine } from './waiting.ts';

/** Deadline for showing a card; after it the card will not be shown any more. */
export const OPENING_MS = 10 * 60_000;
/** When the card is first searched for; longer than the slowest display of a card takes. */
export const FIRST_SEARCH_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The job after its card became visible: waiting, or cancelled if its caller's data was deleted meanwhile. */
export const opened = (
  { answer: _, ...job }: OpeningJob,
  card: CardRef,
  now: number,
  waitingMs: number,
): WaitingJob | CancelledJob =>
  job.forget ? cancelled({ ...job, card }, now) : { ...inLine(job, waitingMs), card, attempts: 0 };

/** The job whose card will never be shown: it is cancelled. */
export const cancelUnseen = ({ answer: _, ...job }: OpeningJob, now: number): CancelledJob =>
  cancelled(job, now);

/**
 * Step of a job whose card was never confirmed. The card may exist (after a crash or a lost answer), so it is searched for
 * where the platform allows that; otherwise the job is cancelled.
 */
export async function searchCard(job: OpeningJob, fx: Effects): Promise<void> {
  const now = fx.now();
  try {
    const card = job.answer === undefined ? undefined : await fx.findCard(job.answer, job);
    if (card !== undefined) return void (await fx.save(job, opened(job, card, fx.now(), fx.waitingMs)));
  } catch {
    const again = now + jitteredBackoff(job.attempts, fx.random(), FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    if (again < job.createdAt + OPENING_MS)
      return void (await fx.save(job, { ...job, attempts: job.attempts + 1, due: again }, 'lossy'));
    // The card may still exist: settling searches for it when the platform answers again, and shows the cancellation on it.
    return void (await fx.save(job, cancelled({ ...job, attempts: 0 }, now)));
  }
  await fx.save(job, cancelUnseen(job, fx.now()));
}
