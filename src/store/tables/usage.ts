import { DAY_MS } from '../../base/clock.ts';
import { personKey } from '../../command/place.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { Job } from '../../orchestrator/job/job.ts';
import type { MonthCredits, UsageCount, UsageRecords } from '../../orchestrator/job/records.ts';
import { storable } from '../records/seal.ts';
import type { Base, Dialect, Query, Row, Transaction } from './driver.ts';

/** The row with a community's sum: no person has an empty id. */
export const COMMUNITY_SUM = '';
/** Parts of `totals`, so that jobs of different communities do not wait for each other. */
const PARTS = 16;
const DAYS_KEPT = 31;

type Charge = Job['charge'];

/** How much of a job is paid from a grant, and the community that it is of, as stored. */
interface FromGrant {
  readonly of: string;
  readonly credits: number;
}

/** A job as the ledger knows it: ids as stored (hashed). */
interface Charged {
  readonly job: string;
  readonly community: string;
  readonly person: string;
}

const COUNTS =
  'SELECT reserved, spent, granted, given, jobs FROM usage WHERE day = $1 AND community = $2 AND person = $3';
const TAKEN = `SELECT (SELECT sum(credits) FROM totals WHERE day = $1) AS total,
  (SELECT reserved + spent FROM usage WHERE day = $1 AND community = $2 AND person = '${COMMUNITY_SUM}') AS used`;
/** The primary key begins with the day, so that the rows of a month are read in one piece. */
const MONTHS = `SELECT substr(day, 1, 7) AS month, sum(credits) AS credits FROM totals WHERE day >= $1
  GROUP BY substr(day, 1, 7)`;
const CHARGE = `INSERT INTO charges (job, day, credits, charge, granted, grants_of, grant_id)
  VALUES ($1, $2, $3, $4, $5, $6, coalesce((SELECT id FROM grants WHERE community = $6 AND person = $7), ''))`;
const USE_GRANT = 'UPDATE grants SET credits = credits - $1, at = $2 WHERE community = $3 AND person = $4';
const ADD = `INSERT INTO usage AS u (day, community, person, reserved, granted, jobs)
  VALUES ($1, $2, $3, $4, $5, 1), ($1, $2, '${COMMUNITY_SUM}', $4, 0, 1)
  ON CONFLICT (day, community, person) DO UPDATE
  SET reserved = u.reserved + excluded.reserved, granted = u.granted + excluded.granted, jobs = u.jobs + 1`;
/** Does nothing for a community whose sum of that day has been deleted: it is in no total any more. */
const ADD_TOTAL = `INSERT INTO totals AS t (day, part, credits) SELECT $1, CAST($2 AS bigint), CAST($3 AS bigint)
  WHERE EXISTS (SELECT 1 FROM usage WHERE day = $1 AND community = $4 AND person = '${COMMUNITY_SUM}')
  ON CONFLICT (day, part) DO UPDATE SET credits = t.credits + excluded.credits`;

const isCharge = (value: unknown): value is Charge =>
  value === 'reserved' || value === 'spent' || value === 'returned';
/** All allowed moves: returned credits cannot be returned or spent again. */
const isAllowed = (from: Charge, to: Charge): boolean =>
  (from === 'reserved' && to !== 'reserved') || (from === 'spent' && to === 'returned');

/** The part of `totals` that a community is counted in. */
export const totalsPartOf = (community: string): number =>
  [...community].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % PARTS;

export type UsageTable = ReturnType<typeof createUsage>;

/**
 * Credits reserved and spent per UTC day, by person and community, by community in total and, in `totals`, of everybody. The
 * counters change only together with the charge of a job. All methods with a `query` are called in a transaction.
 */
export function createUsage({ driver, blind }: Base) {
  const { query: ask, sql } = driver;
  const { greatest, forUpdate, list } = sql;
  /** Changes a counter. One that was deleted is not created again, and one that began anew does not fall below zero. */
  const adjust = `UPDATE usage SET reserved = ${greatest}(0, reserved + $4), spent = ${greatest}(0, spent + $5),
    granted = ${greatest}(0, granted - $6) WHERE day = $1 AND community = $2 AND person = $3`;
  const charged = `SELECT day, credits, charge, granted, grants_of, grant_id FROM charges WHERE job = $1${forUpdate}`;
  const peopleOn = `SELECT count(DISTINCT person) AS people FROM usage
    WHERE day IN (SELECT value FROM ${list('$1', 'text')})
      AND community IN (SELECT value FROM ${list('$2', 'text')}) AND person <> $3 AND jobs > 0`;
  const totalsOn = `SELECT day, sum(credits) AS credits FROM totals
    WHERE day IN (SELECT value FROM ${list('$1', 'text')}) GROUP BY day`;
  const creditsOn = `SELECT day, community, reserved + spent AS credits FROM usage
    WHERE day IN (SELECT value FROM ${list('$1', 'text')})
      AND community IN (SELECT value FROM ${list('$2', 'text')}) AND person = $3`;

  const chargedOf = ({ id, place, caller }: Job): Charged => ({
    job: storable(id),
    community: blind(place.community),
    person: blind(personKey(caller)),
  });
  /** The counters of one day; ids as stored. */
  const count = async (query: Query, day: string, community: string, person: string): Promise<UsageCount> => {
    const [row = {}] = await query(COUNTS, [day, community, person]);
    const [granted, given] = [Number(row.granted ?? 0), Number(row.given ?? 0)];
    return {
      reserved: Number(row.reserved ?? 0),
      spent: Number(row.spent ?? 0),
      ...(granted > 0 ? { granted } : {}),
      ...(given > 0 ? { given } : {}),
      jobs: Number(row.jobs ?? 0),
    };
  };
  const move = (
    { write }: Transaction,
    { job, community, person }: Charged,
    to: Charge,
    row: Row | undefined,
  ) => {
    const from = row?.charge;
    if (row === undefined || !isCharge(from) || !isAllowed(from, to)) return;
    write('UPDATE charges SET charge = $2 WHERE job = $1', [job, to]);
    const [credits, granted] = [Number(row.credits), to === 'returned' ? Number(row.granted) : 0];
    // To a grant that was taken back or deleted nothing returns.
    if (granted > 0)
      write('UPDATE grants SET credits = credits + $1 WHERE community = $2 AND person = $3 AND id = $4', [
        granted,
        row.grants_of,
        person,
        row.grant_id,
      ]);
    const [reserved, spent] = [
      from === 'reserved' ? -credits : 0,
      to === 'spent' ? credits : from === 'spent' ? -credits : 0,
    ];
    write(adjust, [row.day, community, person, reserved, spent, granted]);
    write(adjust, [row.day, community, COMMUNITY_SUM, reserved, spent, 0]);
    if (to === 'returned') write(ADD_TOTAL, [row.day, totalsPartOf(community), -credits, community]);
  };

  return {
    count,
    /** The credits that a community has taken on a day, and everybody together. */
    async taken(query: Query, day: string, community: string) {
      const [row] = await query(TAKEN, [day, community]);
      return { used: Number(row?.used ?? 0), total: Math.max(0, Number(row?.total ?? 0)) };
    },
    /** The credits that everybody together has taken in each of these months (`YYYY-MM`). */
    async takenInMonths(query: Query, months: readonly string[]): Promise<readonly MonthCredits[]> {
      const rows = await query(MONTHS, [`${months.toSorted()[0]}-01`]);
      const credits = new Map(rows.map((row) => [row.month, Math.max(0, Number(row.credits))]));
      return months.map((month) => ({ month, credits: credits.get(month) ?? 0 }));
    },
    /** A new job takes its credits. */
    reserve({ write }: Transaction, of: Charged, { day, credits, createdAt }: Job, grant?: FromGrant): void {
      const { job, community, person } = of;
      const granted = grant?.credits ?? 0;
      write(CHARGE, [job, day, credits, 'reserved', granted, grant?.of ?? null, person]);
      if (grant !== undefined) write(USE_GRANT, [granted, Math.floor(createdAt), grant.of, person]);
      write(ADD, [day, community, person, credits, granted]);
      write(ADD_TOTAL, [day, totalsPartOf(community), credits, community]);
    },
    /**
     * A job's credits are spent or given back. Nothing happens when they have been given back before. `known`: its record before,
     * for jobs from before charges were stored.
     */
    async move(query: Transaction, moved: Job, to: Charge, known?: Job): Promise<void> {
      const of = chargedOf(moved);
      let [row] = await query(charged, [of.job]);
      if (row === undefined && known !== undefined) {
        await query(CHARGE, [of.job, known.day, known.credits, known.charge, 0, null, of.person]);
        [row] = await query(charged, [of.job]);
      }
      move(query, of, to, row);
    },
    /** Whether a job's credits can still go back. Until the transaction ends no other one moves them. */
    async canReturn(query: Query, job: Job): Promise<boolean> {
      const charge = (await query(charged, [chargedOf(job).job]))[0]?.charge;
      return isCharge(charge) && isAllowed(charge, 'returned');
    },
    /** For a job whose record is lost: what was not sent is not paid for; what may have been is. */
    async settleLost(query: Transaction, of: Charged, state: unknown): Promise<void> {
      const [row] = await query(charged, [of.job]);
      // Only while reserved: nothing waits for the call of a lost job.
      if (row?.charge === 'reserved')
        move(query, of, state === 'opening' || state === 'waiting' ? 'returned' : 'spent', row);
    },
    person: (day, community, person) => count(ask, day, blind(community), blind(person)),
    async community(day, community) {
      const [row] = await ask(
        'SELECT count(*) AS people FROM usage WHERE day = $1 AND community = $2 AND person <> $3 AND jobs > 0',
        [day, blind(community), COMMUNITY_SUM],
      );
      return {
        ...(await count(ask, day, blind(community), COMMUNITY_SUM)),
        people: Number(row?.people ?? 0),
      };
    },
    async peopleOn(days, communities) {
      const [row] = await ask(peopleOn, [days, communities.map(blind), COMMUNITY_SUM]);
      return Number(row?.people ?? 0);
    },
    async totalsOn(days) {
      const rows = await ask(totalsOn, [days]);
      const credits = new Map(rows.map((row) => [row.day, Math.max(0, Number(row.credits))]));
      return days.map((day) => ({ day, credits: credits.get(day) ?? 0 }));
    },
    async creditsOn(days, communities) {
      const names = new Map(communities.map((name) => [blind(name), name]));
      const rows = await ask(creditsOn, [days, [...names.keys()], COMMUNITY_SUM]);
      return rows.map((row) => ({
        day: String(row.day),
        community: names.get(String(row.community)) ?? '',
        credits: Number(row.credits),
      }));
    },
  } satisfies UsageRecords & Record<string, unknown>;
}

/** Removes up to `limit` counters of a person and of their direct chat from before a day; says how many. */
export async function eraseUsage(
  query: Query,
  sql: Dialect,
  person: string,
  direct: string,
  day: string,
  limit: number,
): Promise<number> {
  const gone = await query(
    `DELETE FROM usage WHERE (day, community, person) IN
       (SELECT day, community, person FROM usage WHERE person = $1 AND day < $2 LIMIT $3)
     RETURNING 1`,
    [person, day, limit],
  );
  const first = Date.parse(day);
  // A damaged day is none.
  const before = Array.from({ length: Number.isNaN(first) ? 0 : DAYS_KEPT }, (_, back) =>
    dayOf(first - (back + 1) * DAY_MS),
  );
  await query(
    `DELETE FROM usage WHERE day IN (SELECT value FROM ${sql.list('$1', 'text')}) AND community = $2 AND person = $3`,
    [before, direct, COMMUNITY_SUM],
  );
  return gone.length;
}
