import type { Tallies } from '../../records/tallies.ts';
import type { Database } from '../database/database.ts';
import { original } from '../seal/columns.ts';

export function createTallies({ query }: Pick<Database, 'query'>, blind: (id: string) => string): Tallies {
  return {
    async since(community, what, hour) {
      const rows = await query(
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
