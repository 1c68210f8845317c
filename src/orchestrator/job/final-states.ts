import type { Failure, FinalState, Job } from './job.ts';

/** The same job with nothing due. */
export function idle({ due: _, ...job }: Job): Job {
  return job;
}

/** The card still has to say it, also one that we have not heard of yet; without a card nobody waits for that. */
function ended(job: Job, state: FinalState, now: number): Job {
  const settled = job.card === undefined && job.answer === undefined;
  const final = { ...idle(job), state, finishedAt: now, attempts: 0, settled };
  if (settled) return final;
  // Looked for when it would have been anyway: what is still on its way would be drawn over the end.
  return { ...final, due: job.card === undefined ? Math.max(now, job.due ?? now) : now };
}

export const failed = (job: Job, failure: Failure, now: number): Job => ({
  ...ended(job, 'failed', now),
  failure,
  charge: 'returned',
});

/** The service may have taken the request and charged for it, so the credits stay spent. */
export const uncertain = (job: Job, now: number): Job => ({
  ...ended(job, 'uncertain', now),
  charge: 'spent',
});

/** Before anything was sent the credits go back; what has been sent cannot be stopped and is paid for. */
export const cancelled = (job: Job, now: number): Job => ({
  ...ended(job, 'cancelled', now),
  charge: job.state === 'opening' || job.state === 'waiting' || job.unsent ? 'returned' : 'spent',
});

export const done = (job: Job): Job => ({ ...idle(job), state: 'done', attempts: 0, settled: true });
