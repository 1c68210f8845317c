import type {
  CancelledJob,
  DeliveringJob,
  DoneJob,
  FailedJob,
  Failure,
  FinalJob,
  OpeningJob,
  RunningJob,
  StoppableJob,
  SubmittingJob,
  UncertainJob,
  WaitingJob,
} from './job.ts';

/** JobContext to all ends. Not settled until the card shows it; without a card it is settled at once. */
function ended(job: StoppableJob | DeliveringJob, now: number) {
  const { due, resting: _, unsent: __, ...rest } = job;
  const settled = job.card === undefined && job.answer === undefined;
  const final = { ...rest, finishedAt: now, attempts: 0, settled };
  if (settled) return final;
  // A card still being sent would overwrite the end, so the search for it keeps its time.
  return { ...final, due: job.card === undefined ? Math.max(now, due ?? now) : now };
}

export const failed = (
  job: WaitingJob | SubmittingJob | RunningJob | DeliveringJob,
  failure: Failure,
  now: number,
): FailedJob => ({ ...ended(job, now), state: 'failed', failure, charge: 'returned' });

/** The service may have taken the request and charged for it, so the credits stay spent. */
export const uncertain = (job: OpeningJob | WaitingJob | SubmittingJob, now: number): UncertainJob => ({
  ...ended(job, now),
  state: 'uncertain',
  charge: 'spent',
});

/** Before anything was sent the credits go back; what has been sent cannot be stopped and is paid for. */
export function cancelled(job: StoppableJob, now: number): CancelledJob {
  return {
    ...ended(job, now),
    state: 'cancelled',
    charge: job.state === 'opening' || job.state === 'waiting' || job.unsent ? 'returned' : 'spent',
  };
}

/** A former card shows it at once. */
export function done({ due: _, ...job }: DeliveringJob): DoneJob {
  return {
    ...job,
    state: 'done',
    attempts: 0,
    settled: job.formerCard === undefined,
    ...(job.formerCard === undefined ? {} : { due: job.finishedAt }),
  };
}

/** Its card says how it ended, or has gone: nothing is left to do. */
export const settled = ({ due: _, ...job }: FinalJob): FinalJob => ({ ...job, attempts: 0, settled: true });
