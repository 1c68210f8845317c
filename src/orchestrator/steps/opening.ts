import { jitteredBackoff } from '../../base/backoff.ts';
import type { CardRef } from '../../command/place.ts';
import { cancelled } from '../job/final-states.ts';
import type { CancelledJob, OpeningJob, WaitingJob } from '../job/job.ts';
import type { Effects } from './effects.ts';
import { inLine } from './waiting.ts';

/** A card that was not shown by then never will be. */
export const OPENING_MS = 10 * 60_000;
/** Longer than the slowest display of a card. */
export const FIRST_SEARCH_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The card is visible: the job is queued, or cancelled if its caller's data was deleted meanwhile. */
export const opened = (
  { answer: _, ...job }: OpeningJob,
  card: CardRef,
  now: number,
  waitingMs: number,
): WaitingJob | CancelledJob =>
  job.forget ? cancelled({ ...job, card }, now) : { ...inLine(job, waitingMs), card, attempts: 0 };

/** The card will never be shown: the job is cancelled. */
export const unseen = ({ answer: _, ...job }: OpeningJob, now: number): CancelledJob => cancelled(job, now);

/**
 * It was never confirmed that the card was shown. It may exist (a crash, a lost answer), so it is searched for where the
 * platform allows that; otherwise the job is cancelled.
 */
export async function search(job: OpeningJob, fx: Effects): Promise<void> {
  const now = fx.now();
  try {
    const card = job.answer === undefined ? undefined : await fx.findCard(job.answer, job);
    if (card !== undefined) return void (await fx.save(job, opened(job, card, fx.now(), fx.waitingMs)));
  } catch {
    const again = now + jitteredBackoff(job.attempts, fx.random(), FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    if (again < job.createdAt + OPENING_MS)
      return void (await fx.save(job, { ...job, attempts: job.attempts + 1, due: again }, 'lossy'));
    // The card may still exist: it is searched for when the platform answers, and then shows the cancellation.
    return void (await fx.save(job, cancelled({ ...job, attempts: 0 }, now)));
  }
  await fx.save(job, unseen(job, fx.now()));
}
