import { original, storable } from '../records/seal/columns.ts';
import { MOST_NAMES, type Tallies, type Tally } from '../records/tallies.ts';
import type { Driver, Transaction } from './driver.ts';

export interface TallyTable extends Tallies {
  /** In a transaction. */
  add(query: Transaction, community: string, tallies: readonly Tally[]): void;
}

const SAME = 'known.community = column1 AND known.what = column2 AND known.hour = column3';
const row = (_: Tally, index: number): string =>
  `($1, $${4 * index + 2}, CAST($${4 * index + 3} AS bigint), $${4 * index + 4}, 1, CAST($${4 * index + 5} AS bigint))`;
const add = (
  tallies: readonly Tally[],
): string => `INSERT INTO tallies AS t (community, what, hour, name, count, credits)
  SELECT * FROM (VALUES ${tallies.map(row).join(', ')}) AS one
  WHERE EXISTS (SELECT 1 FROM tallies AS known WHERE ${SAME} AND known.name = column4)
    OR (SELECT count(*) FROM tallies AS known WHERE ${SAME}) < ${MOST_NAMES}
  ON CONFLICT (community, what, hour, name) DO UPDATE SET count = t.count + 1, credits = t.credits + excluded.credits`;

export function createTallies(
  { query: ask }: Pick<Driver, 'query'>,
  blind: (id: string) => string,
): TallyTable {
  return {
    add(query, community, tallies) {
      const values = tallies.flatMap(({ what, hour, name, credits }) => [
        what,
        hour,
        storable(name),
        credits,
      ]);
      if (tallies.length > 0) query.write(add(tallies), [blind(community), ...values]);
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
