import type { Job } from '../orchestrator/job.ts';
import type { UsageCount, UsageRecords } from '../orchestrator/records.ts';
import type { Database } from './database.ts';

/** The row that holds a community's sum: no person has an empty id. */
const EVERYBODY = '';

/** What was reserved and spent on a day (UTC) by a person in a community, and by the community in all. */
export function createUsage({ sql, removed }: Database, blind: (id: string) => string): UsageRecords {
  const add = sql.prepare(`
    INSERT INTO usage (day, community, person, reserved, spent, jobs) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (day, community, person) DO UPDATE SET
      reserved = reserved + ?4, spent = spent + ?5, jobs = jobs + ?6
  `);
  /** A counter that was forgotten meanwhile does not come back. */
  const adjust = sql.prepare(`
    UPDATE usage SET reserved = reserved + ?4, spent = spent + ?5, jobs = jobs + ?6
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

  const count = (day: string, community: string, person: string): UsageCount => {
    const row = read.get(day, blind(community), person);
    return {
      reserved: Number(row?.reserved ?? 0),
      spent: Number(row?.spent ?? 0),
      jobs: Number(row?.jobs ?? 0),
    };
  };
  const effect = (charge: Job['charge'], credits: number) => ({
    reserved: charge === 'reserved' ? credits : 0,
    spent: charge === 'spent' ? credits : 0,
  });

  return {
    moved(person, { day, place, credits }, from, to) {
      const before = effect(from ?? 'returned', credits);
      const after = effect(to, credits);
      const by = {
        reserved: after.reserved - before.reserved,
        spent: after.spent - before.spent,
        jobs: from === undefined ? 1 : 0,
      };
      const change = from === undefined ? add : adjust;
      for (const whose of [blind(person), EVERYBODY])
        change.run(day, blind(place.community), whose, by.reserved, by.spent, by.jobs);
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
    },
  };
}
