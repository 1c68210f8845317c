import { dayEnd } from '../../orchestrator/job/day.ts';
import type { AcceptanceLimits, NewJob } from '../../orchestrator/job/records.ts';
import { Refusal } from '../../orchestrator/job/refusal.ts';

export const MINUTE_MS = 60_000;

/** Jobs start at any moment, so running and waiting ones are counted together. */
export const mostUnfinished = ({ userConcurrentJobs, userWaitingJobs }: AcceptanceLimits): number =>
  userConcurrentJobs + userWaitingJobs;

/** `first`: when the earliest job of the last minute was accepted. */
export function rateRefusal({ job, limits }: NewJob, first: number): Refusal {
  const retryAfterMs = Math.max(1, first + MINUTE_MS - job.createdAt);
  return new Refusal({ code: 'rate', limit: limits.userJobsPerMinute, retryAfterMs });
}

export const waitingRefusal = ({ limits }: NewJob, unfinished: number): Refusal =>
  new Refusal({ code: 'waiting', limit: limits.userWaitingJobs, unfinished });

/** `used`: credits that are reserved or spent today. */
export function allowanceRefusal({ job, dailyCredits: limit }: NewJob, used: number): Refusal {
  const left = Math.max(0, limit - used);
  return new Refusal({
    code: 'allowance',
    needed: job.credits,
    left,
    limit,
    resetsAt: dayEnd(job.createdAt),
  });
}
