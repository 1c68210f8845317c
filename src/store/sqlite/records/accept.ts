import { personKey, turnKey } from '../../../command/place.ts';
import { dayOf } from '../../../orchestrator/job/day.ts';
import { canStop, type Job } from '../../../orchestrator/job/job.ts';
import type { Accepted, NewJob } from '../../../orchestrator/job/records.ts';
import { Refusal } from '../../../orchestrator/job/refusal.ts';
import {
  allowanceRefusal,
  ceilingRefusal,
  MINUTE_MS,
  mostUnfinished,
  rateRefusal,
  waitingRefusal,
} from '../../records/jobs/acceptance.ts';
import { talliesOf } from '../../records/tallies.ts';
import type { Database } from '../file/database.ts';
import type { AuditTable } from './audit.ts';
import type { GrantTable } from './grants.ts';
import type { JobTable } from './jobs.ts';
import type { TallyTable } from './tallies.ts';
import type { FromGrant, Usage } from './usage.ts';

export interface AcceptParts {
  readonly database: Database;
  readonly blind: (id: string) => string;
  readonly jobs: Pick<JobTable, 'insert' | 'ofEvent' | 'openOf' | 'countOpen'>;
  readonly usage: Pick<Usage, 'count' | 'ofCommunity' | 'total'>;
  readonly grants: Pick<GrantTable, 'leftOf'>;
  readonly tallies: Pick<TallyTable, 'add'>;
  readonly audit: Pick<AuditTable, 'insert'>;
}

/**
 * Accepts a job, or throws a Refusal. One transaction: two orders cannot both take the last credit, and a crash leaves
 * either everything or nothing.
 */
export function createAccept({ database, blind, jobs, usage, grants, tallies, audit }: AcceptParts) {
  const { sql, transaction } = database;
  // The jobs table does not tell this of deleted jobs, and deleting a job must not allow another one.
  const acceptances = sql.prepare(
    'SELECT count(*) AS n, min(at) AS first FROM acceptances WHERE person = ? AND at > ? AND at <= ?',
  );
  const count = sql.prepare('INSERT INTO acceptances (person, at) VALUES (?, ?)');

  const lately = (who: string, now: number) => {
    const found = acceptances.get(blind(who), now - MINUTE_MS, now);
    return { count: Number(found?.n ?? 0), first: Number(found?.first ?? now) };
  };
  /** Whoever shares limits with others may have one job, whatever those have. */
  const checkLimits = (person: string, turn: string, order: NewJob): void => {
    const { limits, job } = order;
    if (turn !== person && lately(person, job.createdAt).count === 0 && jobs.openOf(person).length === 0)
      return;
    const { count, first } = lately(turn, job.createdAt);
    if (count >= limits.userJobsPerMinute) throw rateRefusal(order, first);
    const unfinished = jobs.countOpen(turn);
    if (unfinished >= mostUnfinished(limits)) throw waitingRefusal(order, unfinished);
  };
  /** How much of it is paid from a grant: what the day's credits do not suffice for. */
  const checkAllowance = (person: string, order: NewJob): FromGrant | undefined => {
    const { credits, createdAt, place } = order.job;
    const { grantsOf: of, mostGiven = Number.POSITIVE_INFINITY } = order;
    const day = dayOf(createdAt);
    const here = usage.count(day, place.community, person);
    const { reserved, spent, granted = 0 } = here;
    const { given = 0 } =
      of === undefined ? {} : of === place.community ? here : usage.count(day, of, person);
    const daily = Math.min(order.dailyCredits, mostGiven - given);
    const left = Math.max(0, daily - (reserved + spent - granted));
    if (credits <= left) return undefined;
    const granting = of === undefined ? 0 : grants.leftOf(of, person);
    if (of === undefined || credits > left + granting) throw allowanceRefusal(order, left + granting);
    return { of, credits: credits - left };
  };
  /** What everybody has taken then, where that is limited. */
  const checkCeilings = (order: NewJob): Pick<Accepted, 'total'> => {
    const { credits, createdAt, place } = order.job;
    const day = dayOf(createdAt);
    if (order.communityCredits !== undefined) {
      const left = order.communityCredits - usage.ofCommunity(day, place.community);
      if (credits > left) throw ceilingRefusal(order, 'community', left);
    }
    const most = order.limits.serviceDailyCredits;
    if (most === undefined) return {};
    const total = usage.total(day);
    if (total + credits > most) throw ceilingRefusal(order, 'service', most - total);
    return { total: total + credits };
  };
  /**
   * A second press of Again while that job is unfinished returns the same job; not once its result is being shown, which
   * the caller may already see.
   */
  const begunBefore = (person: string, againOf: string | undefined): Job | undefined =>
    againOf === undefined
      ? undefined
      : jobs.openOf(person).find((job) => canStop(job) && job.againOf === againOf);

  return (order: NewJob): Accepted =>
    transaction(() => {
      const { job } = order;
      const [person, turn] = [personKey(job.caller), turnKey(job.caller)];
      const ofEvent = jobs.ofEvent(job.origin);
      const known = (ofEvent === 'removed' ? undefined : ofEvent) ?? begunBefore(person, job.againOf);
      if (known !== undefined) return { job: known, known: true };
      if (ofEvent === 'removed') throw new Refusal({ code: 'deleted' });
      checkLimits(person, turn, order);
      const grant = checkAllowance(person, order);
      const total = checkCeilings(order);
      jobs.insert(job, grant);
      audit.insert(order.line);
      for (const who of new Set([person, turn])) count.run(blind(who), job.createdAt);
      tallies.add(job.place.community, talliesOf(order));
      return { job, known: false, ...total };
    });
}
