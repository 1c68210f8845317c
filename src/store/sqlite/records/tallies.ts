import { MOST_NAMES, type Tallies, type Tally } from '../../records/tallies.ts';
import type { Database } from '../file/database.ts';

export interface TallyTable extends Tallies {
  /** Inside a transaction. */
  add(community: string, tallies: readonly Tally[]): void;
  expire(beforeHour: number, limit: number): number;
}

export function createTallies({ sql }: Database, blind: (id: string) => string): TallyTable {
  const more = sql.prepare(`
    UPDATE tallies SET count = count + 1, credits = credits + ?5
    WHERE community = ?1 AND what = ?2 AND hour = ?3 AND name = ?4
  `);
  const first = sql.prepare(`
    INSERT INTO tallies (community, what, hour, name, count, credits) SELECT ?1, ?2, ?3, ?4, 1, ?5
    WHERE (SELECT count(*) FROM tallies WHERE community = ?1 AND what = ?2 AND hour = ?3) < ${MOST_NAMES}
  `);
  // A damaged number is no number of anything.
  const isNumber = (column: string): string =>
    `typeof(${column}) = 'integer' AND ${column} BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}`;
  const since = sql.prepare(`
    SELECT hour, name, count, credits FROM tallies WHERE community = ? AND what = ? AND hour >= ?
      AND ${isNumber('hour')} AND ${isNumber('count')} AND ${isNumber('credits')}
  `);
  const expire = sql.prepare(`
    DELETE FROM tallies WHERE (community, what, hour, name) IN
      (SELECT community, what, hour, name FROM tallies WHERE hour < ? LIMIT ?)
  `);
  return {
    add(community, tallies) {
      if (tallies.length === 0) return;
      const where = blind(community);
      for (const { what, hour, name, credits } of tallies)
        if (more.run(where, what, hour, name, credits).changes === 0)
          first.run(where, what, hour, name, credits);
    },
    since: async (community, what, hour) =>
      since.all(blind(community), what, hour).map((row) => ({
        hour: Number(row.hour),
        name: String(row.name),
        count: Number(row.count),
        credits: Number(row.credits),
      })),
    expire: (beforeHour, limit) => Number(expire.run(beforeHour, limit).changes),
  };
}
