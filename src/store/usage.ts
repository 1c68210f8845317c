import type { Job } from '../orchestrator/job.ts';
import type { UsageCount, UsageRecords } from '../orchestrator/records.ts';
import type { Database } from './database.ts';

/** The row that holds a community's sum: no person has an empty id. */
const EVERYBODY = '';

const charges = ['reserved', 'spent', 'returned'] as const satisfies readonly Job['charge'][];
/** The only moves there are: what was returned cannot be returned, or spent, again. */
const allowed = new Set(['reserved spent', 'reserved returned', 'spent returned']);

const taken = (charge: Job['charge'], credits: number) => ({
  reserved: charge === 'reserved' ? credits : 0,
  spent: charge === 'spent' ? credits : 0,
});

/**
 * What was reserved and spent on a day (UTC) by a person in a community, and by the community in all. Each job has a
 * charge of its own, and the counters move only together with it.
 */
export function createUsage({ sql, removed }: Database, blind: (id: string) => string): UsageRecords {
  const charge = sql.prepare('INSERT INTO charges (job, day, credits, charge) VALUES (?, ?, ?, ?)');
  const chargeOf = sql.prepare('SELECT credits, charge FROM charges WHERE job = ?');
  const recharge = sql.prepare('UPDATE charges SET charge = ? WHERE job = ? AND charge = ?');
  const add = sql.prepare(`
    INSERT INTO usage (day, community, person, reserved, jobs) VALUES (?1, ?2, ?3, ?4, 1)
    ON CONFLICT (day, community, person) DO UPDATE SET reserved = reserved + ?4, jobs = jobs + 1
  `);
  /** A counter that was deleted meanwhile does not come back, and one that began anew does not fall below zero. */
  const adjust = sql.prepare(`
    UPDATE usage SET reserved = max(0, reserved + ?4), spent = max(0, spent + ?5)
    WHERE day = ?1 AND community = ?2 AND person = ?3
  `);
  const read = sql.prepare(
    'SELECT reserved, spent, jobs FROM usage WHERE day = ? AND community = ? AND person = ?',
  );
  const people = sql.prepare(
    "SELECT count(*) AS people FROM usage WHERE day = ? AND community = ? AND person <> ''",
  );
  const forget = sql.prepare('DELETE FROM usage WHERE person = ? AND day <> ?');
  const expire = sql.prepare('DELETE FROM usage WHERE day < ?');
  const expireCharges = sql.prepare('DELETE FROM charges WHERE day < ?');

  const count = (day: string, community: string, person: string): UsageCount => {
    const row = read.get(day, blind(community), person);
    return {
      reserved: Number(row?.reserved ?? 0),
      spent: Number(row?.spent ?? 0),
      jobs: Number(row?.jobs ?? 0),
    };
  };
  return {
    reserve(person, { id, day, place, credits }) {
      charge.run(id, day, credits, 'reserved');
      for (const whose of [blind(person), EVERYBODY]) add.run(day, blind(place.community), whose, credits);
    },
    move(person, { id, day, place, credits: asked }, to, known) {
      let row = chargeOf.get(id);
      if (row === undefined && known !== undefined) {
        // Accepted before charges were kept: its record alone knows what it has taken.
        charge.run(id, day, asked, known);
        row = { credits: asked, charge: known };
      }
      const from = charges.find((each) => each === row?.charge);
      if (from === undefined || !allowed.has(`${from} ${to}`)) return false;
      if (recharge.run(to, id, from).changes === 0) return false;
      const credits = Number(row?.credits);
      const [before, after] = [taken(from, credits), taken(to, credits)];
      for (const whose of [blind(person), EVERYBODY])
        adjust.run(
          day,
          blind(place.community),
          whose,
          after.reserved - before.reserved,
          after.spent - before.spent,
        );
      return true;
    },
    person: (day, community, person) => count(day, community, blind(person)),
    community: (day, community) => ({
      ...count(day, community, EVERYBODY),
      people: Number(people.get(day, blind(community))?.people ?? 0),
    }),
    forget(person, exceptDay) {
      removed();
      forget.run(blind(person), exceptDay);
    },
    expire(beforeDay) {
      expire.run(beforeDay);
      expireCharges.run(beforeDay);
    },
  };
}
