import { MINUTE_MS } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { personKey, turnKey } from '../../command/place.ts';
import { dayEnd, dayOf, monthOf, monthStart } from '../../orchestrator/job/day.ts';
import { OrderRefused } from '../../orchestrator/job/order-refused.ts';
import type { Accepted, JobRecords, MonthCredits, NewJob } from '../../orchestrator/job/records.ts';
import type { Query, Row, Transaction } from './driver.ts';
import { dueOf, endOf, JOB_COLUMNS, lineOf, type OpenRow, sealJob, slotOf } from './job-rows.ts';
import { type JobTableDependencies, nextTurn } from './line.ts';
import { talliesOf } from './tallies.ts';

const jobsOf = (order: NewJob): readonly Pick<NewJob, 'job' | 'line'>[] => [order, ...(order.others ?? [])];
const creditsOf = (order: NewJob): number => jobsOf(order).reduce((sum, { job }) => sum + job.credits, 0);

/**
 * Accepts a job, or those of an album, or rejects with `OrderRefused`. One transaction, with the person's lock: two orders cannot both
 * take the last credit, and a crash leaves either everything or nothing.
 */
export function createAccept(parts: JobTableDependencies): JobRecords['accept'] {
  const { driver, seal, blind, memberId, rows, usage, grants, tallies, audit } = parts;
  const { sql } = driver;
  const insert = `INSERT INTO jobs (seq, id, origin, owner, turn_of, community, state, due, created_at, finished_at, version, again_of,
      credentials, line, slot, member, kind, body, turn)
    VALUES (${sql.nextSeq('jobs')}, $1, $2, $3, $16, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14, $15,
      CASE WHEN CAST($11 AS text) IS NULL THEN NULL ELSE ${nextTurn(sql, '$16')} END)`;

  const accepted = `INSERT INTO acceptances (person, at) SELECT value, CAST($2 AS bigint) FROM ${sql.list('$1', 'text')}`;
  const ofEvent = `SELECT ${JOB_COLUMNS} FROM jobs WHERE origin = $1`;
  // A job whose result is being shown does not count: the caller may see it already, and asks for another one.
  const ofPress = `SELECT ${JOB_COLUMNS} FROM jobs${sql.indexedBy('jobs_open')} WHERE owner = $1 AND finished_at IS NULL
    AND again_of = $2 AND state IN ('opening', 'waiting', 'submitting', 'running') ORDER BY created_at DESC, seq DESC`;

  // Removing a job must not allow another one, so those of the last minute are not counted among the jobs. They are counted by one
  // clock for all processes, because the clocks of two differ. One that is later than now is counted too, but for a minute at most:
  // that clock may have been wrong.
  const isLately = `at > ${sql.clock} - ${MINUTE_MS} AND at <= ${sql.clock} + ${MINUTE_MS}`;
  /** `used`: of a day's credits, grants apart; `given`: what moderators have granted that day. Null: nothing. */
  const facts = `SELECT
      EXISTS (SELECT 1 FROM jobs WHERE origin = $1) AS known,
      EXISTS (SELECT 1 FROM removed WHERE origin = $1) AS removed,
      EXISTS (SELECT 1 FROM acceptances WHERE person = $2 AND ${isLately})
        OR EXISTS (SELECT 1 FROM jobs${sql.indexedBy('jobs_open')} WHERE owner = $2 AND finished_at IS NULL) AS has_others,
      (SELECT count(*) FROM jobs${sql.indexedBy('jobs_turns')} WHERE turn_of = $3 AND finished_at IS NULL AND state <> 'held') AS unfinished,
      count(*) AS lately, min(at) AS first, ${sql.clock} AS now,
      (SELECT reserved + spent - granted FROM usage WHERE day = $4 AND community = $5 AND person = $2) AS used,
      (SELECT given FROM usage WHERE day = $4 AND community = $6 AND person = $2) AS given,
      (SELECT began_at FROM erasures WHERE person = $2) AS erased_at
    FROM acceptances WHERE person = $3 AND ${isLately}`;

  /** When the one was accepted that follows so many others. */
  const acceptedAt = `SELECT at, ${sql.clock} AS now FROM acceptances WHERE person = $1 AND ${isLately}
    ORDER BY at LIMIT 1 OFFSET $2`;
  interface Room {
    /** Jobs of the last minute. */
    readonly lately: number;
    readonly perMinute: number;
    /** Slots and places in line. */
    readonly free: number;
  }
  /** Refuses an album whose photos do not all fit: says how many do, and when more will, because jobs of the last minute are over. */
  const albumRefusal = async (
    query: Query,
    turn: string,
    photos: number,
    { lately, perMinute, free }: Room,
  ): Promise<OrderRefused | undefined> => {
    const fits = Math.max(0, Math.min(perMinute - lately, free));
    if (photos <= fits) return undefined;
    const most = Math.min(photos, perMinute, free);
    const tooMany = lately + most - perMinute;
    if (most <= fits) return new OrderRefused({ code: 'album', photos, fits });
    const [last] = await query(acceptedAt, [turn, tooMany - 1]);
    if (last === undefined) return new OrderRefused({ code: 'album', photos, fits });
    const afterMs = Math.max(1, Number(last.at) + MINUTE_MS - Number(last.now));
    return new OrderRefused({ code: 'album', photos, fits, later: { more: most - fits, afterMs } });
  };
  const refusalOf = async (
    query: Query,
    { limits, others = [] }: NewJob,
    counts: Row,
    turn: string,
  ): Promise<OrderRefused | undefined> => {
    const { userConcurrentJobs, userWaitingJobs, userJobsPerMinute: perMinute } = limits;
    const [lately, unfinished] = [Number(counts.lately), Number(counts.unfinished)];
    // Jobs start at any moment, so running and waiting ones are counted together.
    const free = userConcurrentJobs + userWaitingJobs - unfinished;
    if (others.length > 0) return albumRefusal(query, turn, 1 + others.length, { lately, perMinute, free });
    if (lately >= perMinute) {
      const retryAfterMs = Math.max(1, Number(counts.first) + MINUTE_MS - Number(counts.now));
      return new OrderRefused({ code: 'rate', limit: perMinute, retryAfterMs });
    }
    return free > 0 ? undefined : new OrderRefused({ code: 'waiting', limit: userWaitingJobs, unfinished });
  };
  /** The part that a grant pays, because the day's credits do not suffice; undefined: they do. */
  const allowance = async (query: Query, order: NewJob, owner: string, counts: Row) => {
    const { grantsOf, mostGiven = Number.POSITIVE_INFINITY, job } = order;
    const needed = creditsOf(order);
    const daily = Math.min(order.dailyCredits, mostGiven - Number(counts.given ?? 0));
    const left = Math.max(0, daily - Number(counts.used ?? 0));
    if (needed <= left) return undefined;
    const of = grantsOf === undefined ? undefined : blind(grantsOf);
    const granting = of === undefined ? 0 : await grants.leftOf(query, of, owner);
    if (of !== undefined && needed <= left + granting) return { of, credits: needed - left };
    const resetsAt = dayEnd(job.createdAt);
    return new OrderRefused({
      code: 'allowance',
      needed,
      left: left + granting,
      limit: order.dailyCredits,
      resetsAt,
    });
  };
  /**
   * Refuses an order that does not fit into the month of everybody together. The job is counted in the month of its day, which its
   * process has read from its own clock, so it must fit into that month and into the one of the store's clock: around midnight, or
   * where the clock of a process is wrong, they are two.
   */
  const checkMonth = async (
    { job: { day }, limits }: NewJob,
    query: Query,
    storeTime: number,
    credits: number,
  ): Promise<MonthCredits | undefined> => {
    const { serviceMonthlyCredits: most } = limits;
    if (most === undefined) return undefined;
    const months = [...new Set([monthOf(day), monthOf(dayOf(storeTime))])];
    const taken = await usage.takenInMonths(query, months);
    const fullest = taken.reduce((one, other) => (other.credits > one.credits ? other : one));
    const left = most - fullest.credits;
    if (credits > left) {
      const resetsAt = monthStart(Date.parse(fullest.month), 1);
      throw new OrderRefused({
        code: 'ceiling',
        of: 'month',
        needed: credits,
        left: Math.max(0, left),
        resetsAt,
      });
    }
    return { month: fullest.month, credits: fullest.credits + credits };
  };
  /**
   * Only accepting jobs takes credits: one at a time where there is a ceiling, until it is committed. Returns what everybody has
   * taken then, where that is limited.
   */
  const checkCeilings = async (
    query: Transaction,
    order: NewJob,
    community: string,
    storeTime: number,
  ): Promise<Pick<Accepted, 'total' | 'month'>> => {
    const {
      job: { createdAt },
      communityCredits: most,
      limits,
    } = order;
    const credits = creditsOf(order);
    const { serviceDailyCredits: mostOfAll, serviceMonthlyCredits: mostOfMonth } = limits;
    const isServiceLimited = mostOfAll !== undefined || mostOfMonth !== undefined;
    if (most === undefined && !isServiceLimited) return {};
    const ceilings = [...(most === undefined ? [] : [community]), ...(isServiceLimited ? [''] : [])];
    query.write(sql.lock('credits', '$1'), [ceilings]);
    // The month is checked first: who does not fit into it should not be told to come back tomorrow.
    const [month, { used, total }] = await Promise.all([
      checkMonth(order, query, storeTime, credits),
      usage.taken(query, dayOf(createdAt), community),
    ]);
    const check = (of: 'community' | 'service', left: number): void => {
      if (credits <= left) return;
      const resetsAt = dayEnd(createdAt);
      throw new OrderRefused({ code: 'ceiling', of, needed: credits, left: Math.max(0, left), resetsAt });
    };
    if (most !== undefined) check('community', most - used);
    if (mostOfAll === undefined) return defined({ month });
    check('service', mostOfAll - total);
    return { total: total + credits, ...defined({ month }) };
  };

  const accept = async (
    query: Transaction,
    open: OpenRow,
    order: NewJob,
  ): Promise<Accepted | OrderRefused> => {
    const { job } = order;
    const [owner, turn] = [blind(personKey(job.caller)), blind(turnKey(job.caller))];
    const [origin, againOf] = [blind(job.origin), job.againOf === undefined ? null : blind(job.againOf)];
    query.write(sql.lock('person', '$1'), [[...new Set([turn, owner])]]);
    const at = Math.floor(job.createdAt);
    const here = blind(job.place.community);
    const granting = order.grantsOf === undefined ? null : blind(order.grantsOf);
    const [pressed, [counted = {}]] = await Promise.all([
      againOf === null ? [] : query(ofPress, [owner, againOf]),
      query(facts, [origin, owner, turn, dayOf(job.createdAt), here, granting]),
    ]);
    for (const row of counted.known ? await query(ofEvent, [origin]) : pressed) {
      const found = open(row);
      if (found !== undefined) return { job: found, known: true };
    }
    if (counted.known || counted.removed) return new OrderRefused({ code: 'deleted' });
    // A job that is accepted after an erasure began is not erased by it, so it must not belong to an event from before.
    const erasedAgoMs = Number(counted.now) - Number(counted.erased_at ?? Number.NEGATIVE_INFINITY);
    if (erasedAgoMs >= 0 && erasedAgoMs < (order.handledForMs ?? 0))
      return new OrderRefused({ code: 'deleted' });
    // A caller who shares limits with others may have one job, even if the others have reached the limits.
    const isOneOfTheirs = turn !== owner && !counted.has_others && jobsOf(order).length === 1;
    const refusal = isOneOfTheirs ? undefined : await refusalOf(query, order, counted, turn);
    if (refusal !== undefined) return refusal;
    const grant = await allowance(query, order, owner, counted);
    if (grant instanceof OrderRefused) return grant;
    const slot = slotOf(job);
    if (slot === 1) await rows.lockSlots(query);
    const write = ({ job: each, line }: Pick<NewJob, 'job' | 'line'>): void => {
      const values = [
        each.id,
        blind(each.origin),
        owner,
        here,
        each.state,
        dueOf(each),
        at,
        endOf(each),
        each.version,
        againOf,
        lineOf(each),
        slotOf(each),
        memberId(),
        each.request.kind,
        sealJob(each, seal),
        turn,
      ];
      rows.changeSlots(query, { turn_of: turn, seq: 0 }, slotOf(each));
      query.write(insert, values);
      audit.appendIn(query, line);
      query.write(accepted, [[...new Set([owner, turn])], counted.now]);
      tallies.add(query, each.place.community, talliesOf({ ...order, job: each }));
    };
    for (const each of jobsOf(order)) write(each);
    // Last, because others wait for its end from here on; a refusal is thrown, which undoes what is written.
    const taken = await checkCeilings(query, order, here, Number(counted.now));
    let granted = grant?.credits ?? 0;
    // The day's credits pay for the first of them.
    for (const { job: each } of jobsOf(order).toReversed()) {
      const credits = Math.min(each.credits, granted);
      granted -= credits;
      const from = grant === undefined || credits === 0 ? undefined : { of: grant.of, credits };
      usage.reserve(query, { job: each.id, community: here, person: owner }, each, from);
    }
    return { job, known: false, ...taken };
  };

  return async (order) => {
    const accepted = await rows.reading((query, open) => accept(query, open, order));
    if (accepted instanceof OrderRefused) throw accepted;
    // The caller waits for it next.
    driver.onDisk().catch(() => undefined);
    return accepted;
  };
}
