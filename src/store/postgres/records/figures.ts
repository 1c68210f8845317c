import {
  FIGURES_KEPT_MS,
  type FigureRecords,
  rowOf,
  rowsFor,
  SCALES,
  withBatch,
} from '../../records/figures.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database, Query } from '../database/database.ts';
import { namedKey } from '../members/lock-keys.ts';
import { expire } from './expire.ts';

/** Rows are changed here and not by the server, which cannot read them: one process at a time. */
const ALONE = `SELECT pg_advisory_xact_lock(${namedKey("'figures'")}), set_config('synchronous_commit', 'off', true)`;

export function createFigures(
  { query, transaction }: Pick<Database, 'query' | 'transaction'>,
  seal: Seal,
): FigureRecords {
  return {
    add: (batch) =>
      transaction(async (ask) => {
        await ask(ALONE, []);
        const keys = rowsFor(batch);
        const rows = await ask(
          `SELECT scale, at, body FROM figures
             WHERE (scale, at) IN (SELECT * FROM unnest($1::text[], $2::bigint[]))`,
          [keys.map(({ scale }) => scale), keys.map(({ at }) => at)],
        );
        const bodies = new Map(rows.map(({ scale, at, body }) => [`${scale} ${at}`, body]));
        const found = keys.map((key) => ({ ...key, body: bodies.get(`${key.scale} ${key.at}`) }));
        const all = withBatch(batch, found, seal);
        await ask(
          `INSERT INTO figures (scale, at, body) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[])
             ON CONFLICT (scale, at) DO UPDATE SET body = excluded.body`,
          [all.map(({ scale }) => scale), all.map(({ at }) => at), all.map(({ body }) => body)],
        );
      }),
    async read(scale, from, before) {
      const rows = await query(
        'SELECT at, body FROM figures WHERE scale = $1 AND at >= $2 AND at < $3 ORDER BY at',
        [scale, from, before],
      );
      return rows.flatMap(({ at, body }) => rowOf(at, body, seal) ?? []);
    },
  };
}

/** Removes up to `limit` rows of each scale whose time is over; says how many of either, the more. */
export async function expireFigures(query: Query, now: number, limit: number): Promise<number> {
  const gone: number[] = [];
  for (const scale of SCALES) {
    const before = Math.floor(now - FIGURES_KEPT_MS[scale]);
    gone.push(await expire(query, limit, 'figures', 'scale, at', 'scale = $2 AND at < $3', scale, before));
  }
  return Math.max(...gone);
}
