import {
  FIGURES_KEPT_MS,
  type FigureRecords,
  rowOf,
  rowsFor,
  SCALES,
  withBatch,
} from '../../records/figures.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database } from '../file/database.ts';

export interface FigureTable extends FigureRecords {
  expire(now: number, limit: number): number;
}

export function createFigures({ sql, transaction }: Database, seal: Seal): FigureTable {
  const one = sql.prepare('SELECT body FROM figures WHERE scale = ? AND at = ?');
  const put = sql.prepare(`
    INSERT INTO figures (scale, at, body) VALUES (?, ?, ?) ON CONFLICT (scale, at) DO UPDATE SET body = excluded.body
  `);
  const read = sql.prepare('SELECT at, body FROM figures WHERE scale = ? AND at >= ? AND at < ? ORDER BY at');
  const expire = sql.prepare(`
    DELETE FROM figures WHERE (scale, at) IN (SELECT scale, at FROM figures WHERE scale = ? AND at < ? LIMIT ?)
  `);
  return {
    add: async (batch) =>
      transaction(() => {
        const found = rowsFor(batch).map((key) => ({ ...key, body: one.get(key.scale, key.at)?.body }));
        for (const { scale, at, body } of withBatch(batch, found, seal)) put.run(scale, at, body);
      }),
    read: async (scale, from, before) =>
      read.all(scale, from, before).flatMap(({ at, body }) => rowOf(at, body, seal) ?? []),
    expire: (now, limit) =>
      Math.max(
        ...SCALES.map((scale) => Number(expire.run(scale, now - FIGURES_KEPT_MS[scale], limit).changes)),
      ),
  };
}
