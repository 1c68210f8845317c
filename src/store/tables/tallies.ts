import { original, storable } from '../records/seal/columns.ts';
import { MOST_NAMES, type Tallies, type Tally } from '../records/tallies.ts';
import type { Driver, Query } from './driver.ts';

export interface TallyTable extends Tallies {
  /** In a transaction. */
  add(query: Query, community: string, tallies: readonly Tally[]): Promise<void>;
}

const MORE = `UPDATE tallies SET count = count + 1, credits = credits + $5
  WHERE community = $1 AND what = $2 AND hour = $3 AND name = $4 RETURNING 1`;
const FIRST = `INSERT INTO tallies AS t (community, what, hour, name, count, credits)
  SELECT $1, $2, CAST($3 AS bigint), $4, 1, CAST($5 AS bigint)
  WHERE (SELECT count(*) FROM tallies WHERE community = $1 AND what = $2 AND hour = $3) < ${MOST_NAMES}
  ON CONFLICT (community, what, hour, name) DO UPDATE SET count = t.count + 1, credits = t.credits + excluded.credits`;

export function createTallies(
  { query: ask }: Pick<Driver, 'query'>,
  blind: (id: string) => string,
): TallyTable {
  return {
    async add(query, community, tallies) {
      for (const { what, hour, name, credits } of tallies) {
        const values = [blind(community), what, hour, storable(name), credits];
        if ((await query(MORE, values)).length === 0) await query(FIRST, values);
      }
    },
    async since(community, what, hour) {
      const rows = await ask(
        `SELECT hour, name, count, credits FROM tallies
         WHERE community = $1 AND what = $2 AND hour >= $3 AND count >= 0 AND credits >= 0`,
        [blind(community), what, hour],
      );
      return rows.map((row) => ({
        hour: Number(row.hour),
        name: original(String(row.name)),
        count: Number(row.count),
        credits: Number(row.credits),
      }));
    },
  };
}
