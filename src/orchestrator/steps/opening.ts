import { jitteredBackoff } from '../../base/backoff.ts';
import type { CardRef } from '../../command/place.ts';
import { cancelled } from '../job/final-states.ts';
import type { CancelledJob, OpeningJob, WaitingJob } from '../job/job.ts';
import type { Effects } from './effects.ts';
import { inLine } from './waiting.ts';

/** A card that was not shown by then never will be. */
export const OPENING_MS = 10 * 60_000;
/** Longer than showing a card takes at its slowest. */
export const FIRST_SEARCH_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The card is visible: the job stands in line, or says that it was called off meanwhile. */
export const opened = (
  { answer: _, ...job }: OpeningJob,
  card: CardRef,
  now: number,
  waitingMs: number,
): WaitingJob | CancelledJob =>
  job.forget ? cancelled({ ...job, card }, now) : { ...inLine(job, waitingMs), card, attempts: 0 };

/** There is no card, and none will come: the job is over. */
export const unseen = ({ answer: _, ...job }: OpeningJob, now: number): CancelledJob => cancelled(job, now);

/**
 * We never heard that the card was shown. It may be there all the same, when we died or the answer was lost: where
 * that can be looked up, it is. Otherwise nobody waits for the job.
 */
export async function search(job: OpeningJob, fx: Effects): Promise<void> {
  const now = fx.now();
  try {
    const card = job.answer === undefined ? undefined : await fx.findCard(job.answer, job);
    if (card !== undefined) return void (await fx.save(job, opened(job, card, fx.now(), fx.waitingMs)));
  } catch {
    const again = now + jitteredBackoff(job.attempts, fx.random(), FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    if (again < job.createdAt + OPENING_MS)
      return void (await fx.save(job, { ...job, attempts: job.attempts + 1, due: again }, 'note'));
    // It may be there all the same: it is looked for once the platform answers, and then says that this was called off.
    return void (await fx.save(job, cancelled({ ...job, attempts: 0 }, now)));
  }
  await fx.save(job, unseen(job, fx.now()));
}
