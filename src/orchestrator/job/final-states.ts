import type {
  CancelledJob,
  DeliveringJob,
  DoneJob,
  FailedJob,
  Failure,
  FinalJob,
  HeldJob,
  OpeningJob,
  RunningJob,
  StoppableJob,
  SubmittingJob,
  UncertainJob,
  WaitingJob,
} from './job.ts';

/** The ends of a job: each function makes the record of one end, and says what becomes of its credits. */

/**
 * The fields common to all final states. A job stays unsettled until its card shows the end; a job without a card is settled at
 * once.
 */
function ended(job: StoppableJob | DeliveringJob | HeldJob, now: number) {
  const { due, resting: _, unsent: __, unchecked: ___, held: ____, ...rest } = job;
  const settled = job.card === undefined && job.answer === undefined;
  const final = { ...rest, finishedAt: now, attempts: 0, settled };
  if (settled) return final;
  // A card that is still being sent would overwrite the end, so the search for it keeps its due time.
  return { ...final, due: job.card === undefined ? Math.max(now, due ?? now) : now };
}

/** Ends a job without a result; its credits are returned. */
export const failed = (
  job: WaitingJob | SubmittingJob | RunningJob | DeliveringJob,
  failure: Failure,
  now: number,
): FailedJob => ({ ...ended(job, now), state: 'failed', failure, charge: 'returned' });

/** Ends a job whose result is not shown because of its content. The service has made it, so its credits stay spent. */
export const removed = (
  job: HeldJob,
  code: 'content-removed' | 'content-undecided',
  now: number,
): FailedJob => ({ ...ended(job, now), state: 'failed', failure: { code }, charge: 'spent' });

/**
 * Ends a job whose outcome is unknown. The service may have taken the request and charged for it, so the credits stay spent.
 */
export const uncertain = (job: OpeningJob | WaitingJob | SubmittingJob, now: number): UncertainJob => ({
  ...ended(job, now),
  state: 'uncertain',
  charge: 'spent',
});

/** Cancels a job. Its credits are returned if nothing was sent; a request that was sent cannot be stopped and is paid for. */
export function cancelled(job: StoppableJob, now: number): CancelledJob {
  return {
    ...ended(job, now),
    state: 'cancelled',
    charge: job.state === 'opening' || job.state === 'waiting' || job.unsent ? 'returned' : 'spent',
  };
}

/** Ends a job whose card shows the result. A former card, if there is one, is due to be updated at once. */
export function done({ due: _, unchecked: __, ...job }: DeliveringJob): DoneJob {
  return {
    ...job,
    state: 'done',
    attempts: 0,
    settled: job.formerCard === undefined,
    ...(job.formerCard === undefined ? {} : { due: job.finishedAt }),
  };
}

/** The job with nothing left to do: its card shows how it ended, or has gone. */
export const settled = ({ due: _, ...job }: FinalJob): FinalJob => ({ ...job, attempts: 0, settled: true });
