import { type FigureRecords, rowOf, rowsFor, withBatch } from '../records/figures.ts';
import type { Seal } from '../records/seal/seal.ts';
import type { Driver } from './driver.ts';

const ONE = 'SELECT body FROM figures WHERE scale = $1 AND at = $2';

export function createFigures(
  { query: ask, transaction, sql }: Pick<Driver, 'query' | 'transaction' | 'sql'>,
  seal: Seal,
): FigureRecords {
  const put = `INSERT INTO figures (scale, at, body) SELECT $1, CAST($2 AS bigint), $3 WHERE ${sql.lossy}
    ON CONFLICT (scale, at) DO UPDATE SET body = excluded.body`;
  return {
    add: (batch) =>
      transaction(async (query) => {
        // Rows are changed here and not by the database, which cannot read them: one process at a time.
        query.write(sql.lock('figures', '$1'), [['']]);
        const found = [];
        for (const key of rowsFor(batch))
          found.push({ ...key, body: (await query(ONE, [key.scale, key.at]))[0]?.body });
        for (const { scale, at, body } of withBatch(batch, found, seal)) query.write(put, [scale, at, body]);
      }),
    async read(scale, from, before) {
      const rows = await ask(
        'SELECT at, body FROM figures WHERE scale = $1 AND at >= $2 AND at < $3 ORDER BY at',
        [scale, Math.ceil(from), Math.ceil(before)],
      );
      return rows.flatMap(({ at, body }) => rowOf(at, body, seal) ?? []);
    },
  };
}
