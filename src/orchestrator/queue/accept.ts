import { randomBytes } from 'node:crypto';
import { personKey } from '../../command/place.ts';
import { dayEnd, dayOf } from '../job/day.ts';
import { canStop, type Job, type Order } from '../job/job.ts';
import type { JobRecords, UsageRecords } from '../job/records.ts';
import { Refusal } from '../job/refusal.ts';
import { FIRST_SEARCH_MS, OPENING_MS } from '../steps/opening.ts';
import { MINUTE_MS, type RecentSubmissions } from './recent-submissions.ts';

export interface AcceptanceLimits {
  readonly userConcurrentJobs: number;
  readonly userWaitingJobs: number;
  readonly userJobsPerMinute: number;
}

export interface Accepted {
  readonly job: Job;
  /** The same event had made this job before. */
  readonly known: boolean;
}

/** 16 random characters. */
const newId = (): string => randomBytes(12).toString('base64url');

/**
 * Accepts an order, or throws a Refusal. One transaction: two orders cannot both take the last credit, and a crash leaves
 * either everything, what `together` writes included, or nothing.
 */
export function accept(
  jobs: JobRecords,
  usage: UsageRecords,
  recent: RecentSubmissions,
  limits: AcceptanceLimits,
  now: number,
  order: Order,
  together: (job: Job) => void = () => undefined,
): Accepted {
  return jobs.transaction(() => {
    const known = jobs.byOrigin(order.origin) ?? begunBefore(jobs, limits, order);
    if (known !== undefined) return { job: known, known: true };
    if (jobs.wasRemoved(order.origin)) throw new Refusal({ code: 'deleted' });
    const person = personKey(order.caller);
    checkRate(jobs, recent, person, limits.userJobsPerMinute, now);
    checkWaiting(jobs, person, limits);
    checkAllowance(usage, person, order, now);
    const { dailyCredits: _, ...asked } = order;
    const job: Job = {
      ...asked,
      id: newId(),
      state: 'opening',
      day: dayOf(now),
      charge: 'reserved',
      createdAt: now,
      due: now + (order.answer === undefined ? OPENING_MS : FIRST_SEARCH_MS),
      looks: 0,
      attempts: 0,
      shownProgress: 0,
      settled: false,
      version: 1,
    };
    jobs.insert(job);
    together(job);
    recent.add(person, now);
    return { job, known: false };
  });
}

/**
 * A second press of Again while that job is unfinished returns the same job; not once its result is being shown, which
 * the caller may already see.
 */
function begunBefore(
  jobs: JobRecords,
  limits: AcceptanceLimits,
  { againOf, caller }: Order,
): Job | undefined {
  if (againOf === undefined) return undefined;
  const unfinished = limits.userConcurrentJobs + limits.userWaitingJobs;
  return jobs.ofPerson(personKey(caller), unfinished).find((job) => canStop(job) && job.againOf === againOf);
}

function checkRate(
  jobs: JobRecords,
  recent: RecentSubmissions,
  person: string,
  limit: number,
  now: number,
): void {
  const recorded = jobs.acceptedSince(person, now - MINUTE_MS, now);
  const remembered = recent.since(person, now - MINUTE_MS);
  if (Math.max(recorded.count, remembered.length) < limit) return;
  const first = remembered.length > recorded.count ? remembered[0] : recorded.first;
  throw new Refusal({ code: 'rate', limit, retryAfterMs: Math.max(1, (first ?? now) + MINUTE_MS - now) });
}

/** Jobs start at any moment, so running and waiting ones are counted together. */
function checkWaiting(jobs: JobRecords, person: string, limits: AcceptanceLimits): void {
  const unfinished = jobs.countUnfinished(person);
  if (unfinished < limits.userConcurrentJobs + limits.userWaitingJobs) return;
  throw new Refusal({ code: 'waiting', limit: limits.userWaitingJobs, unfinished });
}

function checkAllowance(usage: UsageRecords, person: string, order: Order, now: number): void {
  const { credits: needed, dailyCredits: limit, place } = order;
  const { reserved, spent } = usage.person(dayOf(now), place.community, person);
  if (reserved + spent + needed <= limit) return;
  const left = Math.max(0, limit - reserved - spent);
  throw new Refusal({ code: 'allowance', needed, left, limit, resetsAt: dayEnd(now) });
}
