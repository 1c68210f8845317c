import type { Driver } from '../../tables/driver.ts';
import type { Database } from './database.ts';
import { dialect } from './dialect.ts';
import { isTaken } from './postgres-error.ts';

// What another process has in hand stays in its hand.
const POSTPONE = `
  WITH p AS MATERIALIZED (
    SELECT j.seq, p.* FROM jobs AS j
    JOIN unnest($1::text[], $2::bigint[], $3::bigint[], $4::bytea[], $5::boolean[]) AS p (id, version, due, body, keeps)
      ON j.id = p.id AND j.version = p.version
    ORDER BY j.seq FOR UPDATE OF j
  )
  UPDATE jobs AS j SET due = p.due, version = p.version + 1, body = p.body,
    member = CASE WHEN p.keeps AND j.held IS NOT NULL THEN j.member ELSE $6 END,
    held = CASE WHEN p.keeps THEN j.held END
  FROM p WHERE j.seq = p.seq AND ${dialect.lossy} RETURNING j.id`;

export function driverOf({ query, transaction }: Pick<Database, 'query' | 'transaction'>): Driver {
  return {
    query,
    transaction,
    together: (work) => work(query),
    // Every statement but the lossy ones is on disk when it resolves.
    onDisk: async () => undefined,
    removed: () => undefined,
    async postpone(some, member) {
      const written = await query(POSTPONE, [
        some.map(({ id }) => id),
        some.map(({ version }) => version),
        some.map(({ due }) => due),
        some.map(({ body }) => body),
        some.map(({ keeps }) => keeps),
        member,
      ]);
      return new Set(written.map(({ id }) => id));
    },
    isDuplicate: isTaken,
    sql: dialect,
  };
}
