import { personKey, turnKey } from '../../command/place.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { Accepted, JobRecords, NewJob } from '../../orchestrator/job/records.ts';
import { Refusal } from '../../orchestrator/job/refusal.ts';
import {
  allowanceRefusal,
  ceilingRefusal,
  MINUTE_MS,
  mostUnfinished,
  rateRefusal,
  waitingRefusal,
} from '../records/jobs/acceptance.ts';
import { endOf, sealJob } from '../records/jobs/job-body.ts';
import { lineOf, processOf, slotOf } from '../records/jobs/line-columns.ts';
import type { Seal } from '../records/seal/seal.ts';
import { talliesOf } from '../records/tallies.ts';
import type { AuditTable } from './audit.ts';
import type { Driver, Query } from './driver.ts';
import type { GrantTable } from './grants.ts';
import { JOB_COLUMNS, type JobRows } from './job-rows.ts';
import { nextTurn } from './line.ts';
import { isRemembered } from './removed.ts';
import type { TallyTable } from './tallies.ts';
import type { FromGrant, UsageTable } from './usage.ts';

export interface AcceptParts {
  readonly driver: Pick<Driver, 'transaction' | 'sql'>;
  readonly seal: Seal;
  readonly blind: (id: string) => string;
  readonly memberId: () => string;
  readonly rows: JobRows;
  readonly usage: UsageTable;
  readonly grants: Pick<GrantTable, 'leftOf'>;
  readonly tallies: Pick<TallyTable, 'add'>;
  readonly audit: Pick<AuditTable, 'insert'>;
}

/**
 * Accepts a job, or rejects with a Refusal. One transaction, with the person's lock: two orders cannot both take the last credit,
 * and a crash leaves either everything or nothing.
 */
export function createAccept(parts: AcceptParts): JobRecords['accept'] {
  const { driver, seal, blind, memberId, rows, usage, grants, tallies, audit } = parts;
  const { transaction, sql } = driver;
  const insert = `INSERT INTO jobs (seq, id, origin, owner, turn_of, community, state, due, created_at, finished_at, version, again_of,
      credentials, line, slot, member, only_process, kind, body, turn)
    VALUES (${sql.nextSeq('jobs')}, $1, $2, $3, $17, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14, $15, $16,
      CASE WHEN CAST($11 AS text) IS NULL THEN NULL ELSE ${nextTurn(sql, '$17')} END) RETURNING seq`;

  /**
   * The job of the same event, or of the same press of Again while that one is unfinished; not once its result is being shown,
   * which the caller may already see.
   */
  const known = async (query: Query, { origin, againOf }: Job, owner: string) => {
    const [ofEvent] = await query(`SELECT ${JOB_COLUMNS} FROM jobs WHERE origin = $1`, [blind(origin)]);
    if (ofEvent !== undefined) return (await rows.read(ofEvent, query)) ?? 'deleted';
    if (againOf !== undefined) {
      const found = await query(
        `SELECT ${JOB_COLUMNS} FROM jobs${sql.indexedBy('jobs_open')} WHERE owner = $1 AND finished_at IS NULL AND again_of = $2
           AND state IN ('opening', 'waiting', 'submitting', 'running') ORDER BY created_at DESC, seq DESC`,
        [owner, blind(againOf)],
      );
      for (const row of found) {
        const job = await rows.read(row, query);
        if (job !== undefined) return job;
      }
    }
    return (await isRemembered(query, blind(origin))) ? 'deleted' : undefined;
  };
  /** Removing a job must not allow another one, so these are not counted among the jobs. */
  const lately = async (query: Query, person: string, now: number) => {
    const [found] = await query(
      'SELECT count(*) AS n, min(at) AS first FROM acceptances WHERE person = $1 AND at > $2 AND at <= $3',
      [person, now - MINUTE_MS, now],
    );
    return { count: Number(found?.n), first: Number(found?.first ?? now) };
  };
  const countOpen = async (query: Query, column: 'owner' | 'turn_of', who: string): Promise<number> => {
    const index = sql.indexedBy(column === 'owner' ? 'jobs_open' : 'jobs_turns');
    const open = `SELECT count(*) AS n FROM jobs${index} WHERE ${column} = $1 AND finished_at IS NULL`;
    return Number((await query(open, [who]))[0]?.n);
  };
  /** A caller who shares limits with others may have one job, whatever those have. */
  const refusalOf = async (query: Query, order: NewJob, owner: string, turn: string) => {
    const { limits, job } = order;
    const now = Math.floor(job.createdAt);
    const isAlone = async (): Promise<boolean> =>
      (await lately(query, owner, now)).count === 0 && (await countOpen(query, 'owner', owner)) === 0;
    if (turn !== owner && (await isAlone())) return undefined;
    const { count, first } = await lately(query, turn, now);
    if (count >= limits.userJobsPerMinute) return rateRefusal(order, first);
    const unfinished = await countOpen(query, 'turn_of', turn);
    return unfinished < mostUnfinished(limits) ? undefined : waitingRefusal(order, unfinished);
  };
  /** How much of it is paid from a grant: what the day's credits do not suffice for. */
  const allowance = async (
    query: Query,
    order: NewJob,
    owner: string,
  ): Promise<FromGrant | Refusal | undefined> => {
    const { credits, createdAt, place } = order.job;
    const { grantsOf, mostGiven = Number.POSITIVE_INFINITY } = order;
    const [day, here] = [dayOf(createdAt), blind(place.community)];
    const of = grantsOf === undefined ? undefined : blind(grantsOf);
    const used = await usage.count(query, day, here, owner);
    const { given = 0 } =
      of === undefined ? {} : of === here ? used : await usage.count(query, day, of, owner);
    const daily = Math.min(order.dailyCredits, mostGiven - given);
    const left = Math.max(0, daily - (used.reserved + used.spent - (used.granted ?? 0)));
    if (credits <= left) return undefined;
    const granting = of === undefined ? 0 : await grants.leftOf(query, of, owner);
    if (of === undefined || credits > left + granting) return allowanceRefusal(order, left + granting);
    return { of, credits: credits - left };
  };
  /**
   * Only accepting a job takes credits: one at a time where there is a ceiling, until it is committed. Returns what everybody has
   * taken then, where that is limited.
   */
  const checkCeilings = async (query: Query, order: NewJob): Promise<Pick<Accepted, 'total'>> => {
    const { credits, createdAt, place } = order.job;
    const [day, community] = [dayOf(createdAt), blind(place.community)];
    if (order.communityCredits !== undefined) {
      await query(sql.lock('credits', '$1'), [community]);
      const left = order.communityCredits - (await usage.ofCommunity(query, day, community));
      if (credits > left) throw ceilingRefusal(order, 'community', left);
    }
    const most = order.limits.serviceDailyCredits;
    if (most === undefined) return {};
    await query(sql.lock('credits', '$1'), ['']);
    const total = await usage.total(query, day);
    if (total + credits > most) throw ceilingRefusal(order, 'service', most - total);
    return { total: total + credits };
  };

  const accept = async (query: Query, order: NewJob): Promise<Accepted | Refusal> => {
    const { job } = order;
    const [owner, turn] = [blind(personKey(job.caller)), blind(turnKey(job.caller))];
    if (turn !== owner) await query(sql.lock('person', '$1'), [turn]);
    await query(sql.lock('person', '$1'), [owner]);
    const found = await known(query, job, owner);
    if (found === 'deleted') return new Refusal({ code: 'deleted' });
    if (found !== undefined) return { job: found, known: true };
    const refusal = await refusalOf(query, order, owner, turn);
    if (refusal !== undefined) return refusal;
    const grant = await allowance(query, order, owner);
    if (grant instanceof Refusal) return grant;
    if (slotOf(job) === 1) await rows.lockSlots(query);
    const [inserted] = await query(insert, [
      job.id,
      blind(job.origin),
      owner,
      blind(job.place.community),
      job.state,
      job.due === undefined ? null : Math.ceil(job.due),
      Math.floor(job.createdAt),
      endOf(job),
      job.version,
      job.againOf === undefined ? null : blind(job.againOf),
      lineOf(job),
      slotOf(job),
      memberId(),
      processOf(job),
      job.request.kind,
      sealJob(job, seal),
      turn,
    ]);
    if (slotOf(job) === 1) await rows.changeSlots(query, turn, Number(inserted?.seq), 1);
    await audit.insert(query, order.line);
    for (const who of new Set([owner, turn]))
      await query('INSERT INTO acceptances (person, at) VALUES ($1, $2)', [who, Math.floor(job.createdAt)]);
    await tallies.add(query, job.place.community, talliesOf(order));
    // Last, because others wait for the end of this transaction from here on.
    const total = await checkCeilings(query, order);
    await usage.reserve(
      query,
      { job: job.id, community: blind(job.place.community), person: owner },
      job,
      grant,
    );
    return { job, known: false, ...total };
  };

  return async (order) => {
    const accepted = await transaction((query) => accept(query, order));
    if (accepted instanceof Refusal) throw accepted;
    return accepted;
  };
}
