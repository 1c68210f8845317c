import { personKey, turnKey } from '../../command/place.ts';
import { dayEnd, dayOf } from '../../orchestrator/job/day.ts';
import type { Accepted, JobRecords, NewJob } from '../../orchestrator/job/records.ts';
import { Refusal } from '../../orchestrator/job/refusal.ts';
import type { Query, Row, Transaction } from './driver.ts';
import { dueOf, endOf, lineOf, processOf, sealJob, slotOf } from './job-body.ts';
import { JOB_COLUMNS, type OpenRow } from './job-rows.ts';
import { type JobParts, nextTurn } from './line.ts';
import { isRemembered } from './removed.ts';
import { talliesOf } from './tallies.ts';
import { given, used } from './usage.ts';

export const MINUTE_MS = 60_000;

/**
 * Accepts a job, or rejects with a Refusal. One transaction, with the person's lock: two orders cannot both take the last credit,
 * and a crash leaves either everything or nothing.
 */
export function createAccept(parts: JobParts): JobRecords['accept'] {
  const { driver, seal, blind, memberId, rows, usage, grants, tallies, audit } = parts;
  const { sql } = driver;
  const insert = `INSERT INTO jobs (seq, id, origin, owner, turn_of, community, state, due, created_at, finished_at, version, again_of,
      credentials, line, slot, member, only_process, kind, body, turn)
    VALUES (${sql.nextSeq('jobs')}, $1, $2, $3, $17, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14, $15, $16,
      CASE WHEN CAST($11 AS text) IS NULL THEN NULL ELSE ${nextTurn(sql, '$17')} END)`;

  const accepted = `INSERT INTO acceptances (person, at) SELECT value, CAST($2 AS bigint) FROM ${sql.list('$1', 'text')}`;
  const ofEvent = `SELECT ${JOB_COLUMNS} FROM jobs WHERE origin = $1`;
  // Not once its result is being shown, which the caller may already see.
  const ofPress = `SELECT ${JOB_COLUMNS} FROM jobs${sql.indexedBy('jobs_open')} WHERE owner = $1 AND finished_at IS NULL
    AND again_of = $2 AND state IN ('opening', 'waiting', 'submitting', 'running') ORDER BY created_at DESC, seq DESC`;

  // Removing a job must not allow another one, so those of the last minute are not counted among the jobs.
  const lately = (who: string) => `FROM acceptances WHERE person = ${who} AND at > $4 AND at <= $5`;
  const unfinished = (index: string, of: string) =>
    `FROM jobs${sql.indexedBy(index)} WHERE ${of} AND finished_at IS NULL`;
  const facts = `SELECT EXISTS (SELECT 1 FROM jobs WHERE origin = $1) AS known, ${isRemembered('$1')} AS removed,
      EXISTS (SELECT 1 ${lately('$2')}) OR EXISTS (SELECT 1 ${unfinished('jobs_open', 'owner = $2')}) AS has_others,
      (SELECT count(*) ${unfinished('jobs_turns', 'turn_of = $3')}) AS unfinished, count(*) AS lately, min(at) AS first,
      ${used('$6', '$7', '$2')} AS used, ${given('$6', '$8', '$2')} AS given
    ${lately('$3')}`;

  const refusalOf = ({ job, limits }: NewJob, counts: Row): Refusal | undefined => {
    const { userConcurrentJobs, userWaitingJobs, userJobsPerMinute } = limits;
    const [lately, unfinished] = [Number(counts.lately), Number(counts.unfinished)];
    if (lately >= userJobsPerMinute) {
      const first = Number(counts.first ?? job.createdAt);
      const retryAfterMs = Math.max(1, first + MINUTE_MS - job.createdAt);
      return new Refusal({ code: 'rate', limit: userJobsPerMinute, retryAfterMs });
    }
    // Jobs start at any moment, so running and waiting ones are counted together.
    return unfinished < userConcurrentJobs + userWaitingJobs
      ? undefined
      : new Refusal({ code: 'waiting', limit: userWaitingJobs, unfinished });
  };
  /** How much of it is paid from a grant: what the day's credits do not suffice for. */
  const allowance = async (query: Query, order: NewJob, owner: string, counts: Row) => {
    const { grantsOf, mostGiven = Number.POSITIVE_INFINITY, job } = order;
    const daily = Math.min(order.dailyCredits, mostGiven - Number(counts.given ?? 0));
    const left = Math.max(0, daily - Number(counts.used ?? 0));
    if (job.credits <= left) return undefined;
    const of = grantsOf === undefined ? undefined : blind(grantsOf);
    const granting = of === undefined ? 0 : await grants.leftOf(query, of, owner);
    if (of !== undefined && job.credits <= left + granting) return { of, credits: job.credits - left };
    const resetsAt = dayEnd(job.createdAt);
    const [limit, needed] = [order.dailyCredits, job.credits];
    return new Refusal({ code: 'allowance', needed, left: left + granting, limit, resetsAt });
  };
  /**
   * Only accepting a job takes credits: one at a time where there is a ceiling, until it is committed. Returns what everybody has
   * taken then, where that is limited.
   */
  const checkCeilings = async (
    query: Transaction,
    { job: { credits, createdAt }, communityCredits: most, limits }: NewJob,
    community: string,
  ): Promise<Pick<Accepted, 'total'>> => {
    const { serviceDailyCredits: mostOfAll } = limits;
    if (most === undefined && mostOfAll === undefined) return {};
    const ceilings = [...(most === undefined ? [] : [community]), ...(mostOfAll === undefined ? [] : [''])];
    query.write(sql.lock('credits', '$1'), [ceilings]);
    const { used, total } = await usage.taken(query, dayOf(createdAt), community);
    const check = (of: 'community' | 'service', left: number): void => {
      if (credits <= left) return;
      const resetsAt = dayEnd(createdAt);
      throw new Refusal({ code: 'ceiling', of, needed: credits, left: Math.max(0, left), resetsAt });
    };
    if (most !== undefined) check('community', most - used);
    if (mostOfAll === undefined) return {};
    check('service', mostOfAll - total);
    return { total: total + credits };
  };

  const accept = async (query: Transaction, open: OpenRow, order: NewJob): Promise<Accepted | Refusal> => {
    const { job } = order;
    const [owner, turn] = [blind(personKey(job.caller)), blind(turnKey(job.caller))];
    const [origin, againOf] = [blind(job.origin), job.againOf === undefined ? null : blind(job.againOf)];
    query.write(sql.lock('person', '$1'), [[...new Set([turn, owner])]]);
    const at = Math.floor(job.createdAt);
    const here = blind(job.place.community);
    const granting = order.grantsOf === undefined ? null : blind(order.grantsOf);
    const [pressed, [counted = {}]] = await Promise.all([
      againOf === null ? [] : query(ofPress, [owner, againOf]),
      query(facts, [origin, owner, turn, at - MINUTE_MS, at, dayOf(job.createdAt), here, granting]),
    ]);
    for (const row of counted.known ? await query(ofEvent, [origin]) : pressed) {
      const found = open(row);
      if (found !== undefined) return { job: found, known: true };
    }
    if (counted.known || counted.removed) return new Refusal({ code: 'deleted' });
    // A caller who shares limits with others may have one job, even if the others have reached the limits.
    const refusal = turn !== owner && !counted.has_others ? undefined : refusalOf(order, counted);
    if (refusal !== undefined) return refusal;
    const grant = await allowance(query, order, owner, counted);
    if (grant instanceof Refusal) return grant;
    const slot = slotOf(job);
    if (slot === 1) await rows.lockSlots(query);
    const values = [
      job.id,
      origin,
      owner,
      here,
      job.state,
      dueOf(job),
      at,
      endOf(job),
      job.version,
      againOf,
      lineOf(job),
      slot,
      memberId(),
      processOf(job),
      job.request.kind,
      sealJob(job, seal),
      turn,
    ];
    rows.changeSlots(query, { turn_of: turn, seq: 0 }, slot);
    const of = { job: job.id, community: here, person: owner };
    query.write(insert, values);
    audit.appendIn(query, order.line);
    query.write(accepted, [[...new Set([owner, turn])], at]);
    tallies.add(query, job.place.community, talliesOf(order));
    // Last, because others wait for the end of this transaction from here on.
    const total = await checkCeilings(query, order, here);
    usage.reserve(query, of, job, grant);
    return { job, known: false, ...total };
  };

  return async (order) => {
    const accepted = await rows.reading((query, open) => accept(query, open, order));
    if (accepted instanceof Refusal) throw accepted;
    return accepted;
  };
}
