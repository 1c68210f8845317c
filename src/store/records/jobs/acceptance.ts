import { dayEnd } from '../../../orchestrator/job/day.ts';
import type { AcceptanceLimits, NewJob } from '../../../orchestrator/job/records.ts';
import { Refusal } from '../../../orchestrator/job/refusal.ts';

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

/** `left`: of the day's credits and of grants. */
export function allowanceRefusal({ job, dailyCredits: limit }: NewJob, left: number): Refusal {
  return new Refusal({
    code: 'allowance',
    needed: job.credits,
    left,
    limit,
    resetsAt: dayEnd(job.createdAt),
  });
}

export const ceilingRefusal = ({ job }: NewJob, of: 'community' | 'service', left: number): Refusal =>
  new Refusal({
    code: 'ceiling',
    of,
    needed: job.credits,
    left: Math.max(0, left),
    resetsAt: dayEnd(job.createdAt),
  });
