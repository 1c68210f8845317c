import { dayOf } from '../../../orchestrator/job/day.ts';
import type { Job } from '../../../orchestrator/job/job.ts';
import type { UsageCount, UsageRecords } from '../../../orchestrator/job/records.ts';
import type { Database } from '../file/database.ts';
import type { DamagedRecords } from './damaged-records.ts';

/** The row with a community's sum: no person has an empty id. */
const everybody = '';
const dayMs = 86_400_000;
const daysKept = 31;

export type Charged = Pick<Job, 'id' | 'day' | 'place' | 'credits' | 'createdAt'>;

/** How much of a job is paid from a grant, and the community that it is of. */
export interface FromGrant {
  readonly of: string;
  readonly credits: number;
}

/** The last three take ids as stored (hashed). */
export interface Usage extends UsageRecords {
  /** A new job takes its credits. */
  reserve(person: string, job: Charged, grant?: FromGrant): void;
  /**
   * A job's credits are spent or given back; false: that cannot be, because they have been given back before. `known`:
   * what its record says of it, for jobs of which the ledger knows nothing yet.
   */
  move(person: string, job: Charged, to: Job['charge'], known?: Job['charge']): boolean;
  /** `person`, inside a transaction. */
  count(day: string, community: string, person: string): UsageCount;
  /** What all people of a community, or everybody, have taken that day. */
  ofCommunity(day: string, community: string): number;
  total(day: string): number;
  /** For a job whose record is damaged: nothing else would settle its credits. */
  abandon(job: string, person: string, community: string, to: Job['charge']): void;
  /** Removes up to `limit` counters of a person and of their direct chat, except those of one day. */
  eraseOf(person: string, direct: string, exceptDay: string, limit: number): number;
  expire(beforeDay: string, limit: number): number;
}

const charges = ['reserved', 'spent', 'returned'] as const satisfies readonly Job['charge'][];
/** All allowed moves: returned credits cannot be returned or spent again. */
const allowed = new Set(['reserved spent', 'reserved returned', 'spent returned']);

const isCount = (value: number | undefined): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const taken = (charge: Job['charge'], credits: number) => ({
  reserved: charge === 'reserved' ? credits : 0,
  spent: charge === 'spent' ? credits : 0,
});

/**
 * Credits reserved and spent per UTC day, by person and community, and by community in total. The counters change only
 * together with the charge of a job.
 */
export function createUsage(
  { sql, removed }: Database,
  blind: (id: string) => string,
  damagedRecords: DamagedRecords,
): Usage {
  const charge = sql.prepare(
    `INSERT INTO charges (job, day, credits, charge, granted, grants_of, grant_id)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, coalesce((SELECT id FROM grants WHERE community = ?6 AND person = ?7), ''))`,
  );
  const chargeOf = sql.prepare(
    'SELECT credits, charge, granted, grants_of, grant_id FROM charges WHERE job = ?',
  );
  const useGrant = sql.prepare(
    'UPDATE grants SET credits = credits - ?, at = ? WHERE community = ? AND person = ?',
  );
  const refillGrant = sql.prepare(
    'UPDATE grants SET credits = credits + ? WHERE community = ? AND person = ? AND id = ?',
  );
  const recharge = sql.prepare('UPDATE charges SET charge = ? WHERE job = ? AND charge = ?');
  const add = sql.prepare(`
    INSERT INTO usage (day, community, person, reserved, granted, jobs) VALUES (?1, ?2, ?3, ?4, ?5, 1)
    ON CONFLICT (day, community, person) DO UPDATE
    SET reserved = reserved + ?4, granted = granted + ?5, jobs = jobs + 1
  `);
  /** A deleted counter is not created again, and one that restarted does not fall below zero. */
  const adjust = sql.prepare(`
    UPDATE usage SET reserved = max(0, reserved + ?4), spent = max(0, spent + ?5), granted = max(0, granted - ?6)
    WHERE day = ?1 AND community = ?2 AND person = ?3
  `);
  const read = sql.prepare(
    'SELECT reserved, spent, granted, given, jobs FROM usage WHERE day = ? AND community = ? AND person = ?',
  );
  const people = sql.prepare(
    "SELECT count(*) AS people FROM usage WHERE day = ? AND community = ? AND person <> '' AND jobs > 0",
  );
  const peopleOn = sql.prepare(`
    SELECT count(DISTINCT person) AS people FROM usage WHERE day IN (SELECT value FROM json_each(?))
      AND community IN (SELECT value FROM json_each(?)) AND person <> '' AND jobs > 0
  `);
  const totalOn = sql.prepare('SELECT total(credits) AS credits FROM totals WHERE day = ?');
  const creditsOn = sql.prepare(`
    SELECT community, total(reserved + spent) AS credits FROM usage WHERE day = ?
      AND community IN (SELECT value FROM json_each(?)) AND person = '' GROUP BY community
  `);
  const erase = sql.prepare(`
    DELETE FROM usage WHERE (day, community, person) IN
      (SELECT day, community, person FROM usage WHERE person = ? AND day <> ? LIMIT ?)
  `);
  const eraseDirect = sql.prepare("DELETE FROM usage WHERE community = ? AND person = '' AND day = ?");
  const expire = sql.prepare(`
    DELETE FROM usage WHERE (day, community, person) IN
      (SELECT day, community, person FROM usage WHERE day < ? LIMIT ?)
  `);
  const expireCharges = sql.prepare(
    'DELETE FROM charges WHERE job IN (SELECT job FROM charges WHERE day < ? LIMIT ?)',
  );
  const expireTotals = sql.prepare('DELETE FROM totals WHERE day < ?');
  const dayOfCharge = sql.prepare('SELECT day FROM charges WHERE job = ?');
  const drop = sql.prepare('DELETE FROM usage WHERE day = ? AND community = ? AND person = ?');

  // `total` instead of `sum`, which fails for damaged numbers.
  const total = sql.prepare(`
    SELECT total(credits) AS credits, total(typeof(credits) <> 'integer') AS damaged FROM totals WHERE day = ?
  `);
  const dropTotal = sql.prepare('DELETE FROM totals WHERE day = ?');
  const recount = sql.prepare(`
    INSERT INTO totals SELECT day, 0, CAST(total(reserved + spent) AS INTEGER) FROM usage WHERE day = ? AND person = ''
    GROUP BY day
  `);

  const count = (day: string, community: string, person: string): UsageCount => {
    const row = read.get(day, community, person);
    const [reserved, spent, granted, given, jobs] = [
      row?.reserved,
      row?.spent,
      row?.granted,
      row?.given,
      row?.jobs,
    ].map((value) => Number(value ?? 0));
    if (isCount(reserved) && isCount(spent) && isCount(granted) && isCount(given) && isCount(jobs))
      return {
        reserved,
        spent,
        ...(granted > 0 ? { granted } : {}),
        ...(given > 0 ? { given } : {}),
        jobs,
      };
    const why = 'a counter is not a whole number from 0';
    damagedRecords.setAside(
      { kind: 'usage', id: day, why },
      person === everybody ? null : person,
      JSON.stringify(row),
    );
    drop.run(day, community, person);
    return { reserved: 0, spent: 0, jobs: 0 };
  };
  const moveCharge = (
    job: string,
    day: string,
    community: string,
    person: string,
    to: Job['charge'],
  ): boolean => {
    const row = chargeOf.get(job);
    const from = charges.find((each) => each === row?.charge);
    if (from === undefined || !allowed.has(`${from} ${to}`)) return false;
    if (recharge.run(to, job, from).changes === 0) return false;
    const credits = Number(row?.credits);
    // A damaged amount changes no counter and does not stop its job.
    if (!isCount(credits)) return true;
    const [before, after] = [taken(from, credits), taken(to, credits)];
    const granted = to === 'returned' && isCount(Number(row?.granted)) ? Number(row?.granted) : 0;
    // To a grant that was taken back or deleted nothing returns.
    if (granted > 0) refillGrant.run(granted, row?.grants_of ?? null, person, row?.grant_id ?? '');
    const change = [after.reserved - before.reserved, after.spent - before.spent] as const;
    adjust.run(day, community, person, ...change, granted);
    adjust.run(day, community, everybody, ...change, 0);
    return true;
  };

  return {
    reserve(person, { id, day, place, credits, createdAt }, grant) {
      const who = blind(person);
      const community = blind(place.community);
      const of = grant === undefined ? null : blind(grant.of);
      const granted = grant?.credits ?? 0;
      if (of !== null) useGrant.run(granted, Math.floor(createdAt), of, who);
      charge.run(id, day, credits, 'reserved', granted, of, who);
      add.run(day, community, who, credits, granted);
      add.run(day, community, everybody, credits, 0);
    },
    move(person, { id, day, place, credits }, to, known) {
      // Accepted before the charges table existed: only its record knows its charge.
      if (known !== undefined && chargeOf.get(id) === undefined)
        charge.run(id, day, credits, known, 0, null, '');
      return moveCharge(id, day, blind(place.community), blind(person), to);
    },
    abandon(job, person, community, to) {
      const day = dayOfCharge.get(job)?.day;
      // Only while reserved: nothing waits for the call of a lost job.
      if (typeof day === 'string' && chargeOf.get(job)?.charge === 'reserved')
        moveCharge(job, day, community, person, to);
    },
    count: (day, community, person) => count(day, blind(community), blind(person)),
    ofCommunity(day, community) {
      const { reserved, spent } = count(day, blind(community), everybody);
      return reserved + spent;
    },
    total(day) {
      const found = total.get(day);
      const sum = Number(found?.credits);
      if (isCount(sum) && Number(found?.damaged) === 0) return sum;
      // Damaged: counted again.
      dropTotal.run(day);
      recount.run(day);
      return Math.max(0, Number(total.get(day)?.credits) || 0);
    },
    person: async (day, community, person) => count(day, blind(community), blind(person)),
    community: async (day, community) => ({
      ...count(day, blind(community), everybody),
      people: Number(people.get(day, blind(community))?.people ?? 0),
    }),
    peopleOn: async (days, communities) => {
      const [from, where] = [JSON.stringify(days), JSON.stringify(communities.map(blind))];
      return Number(peopleOn.get(from, where)?.people ?? 0);
    },
    totalsOn: async (days) =>
      days.map((day) => ({ day, credits: Math.max(0, Number(totalOn.get(day)?.credits)) })),
    async creditsOn(days, communities) {
      const names = new Map(communities.map((name) => [blind(name), name]));
      const where = JSON.stringify([...names.keys()]);
      return days.flatMap((day) =>
        creditsOn.all(day, where).map((row) => ({
          day,
          community: names.get(String(row.community)) ?? '',
          credits: Number(row.credits),
        })),
      );
    },
    eraseOf(person, direct, exceptDay, limit) {
      removed();
      const gone = Number(erase.run(person, exceptDay, limit).changes);
      for (let back = 1; back <= daysKept; back += 1)
        eraseDirect.run(direct, dayOf(Date.parse(exceptDay) - back * dayMs));
      return gone;
    },
    expire(beforeDay, limit) {
      expireTotals.run(beforeDay);
      return Math.max(
        Number(expire.run(beforeDay, limit).changes),
        Number(expireCharges.run(beforeDay, limit).changes),
      );
    },
  };
}
