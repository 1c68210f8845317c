import type { Database } from './database.ts';
import type { Seal } from './seal.ts';

/** Every column that is sealed, with what tells its purpose. */
const columns = [
  {
    table: 'entries',
    column: 'value',
    id: ['namespace', 'key'],
    purpose: (row: Row) => String(row.namespace),
  },
  { table: 'jobs', column: 'body', id: ['seq'], purpose: () => 'job' },
  { table: 'audit', column: 'detail', id: ['seq'], purpose: () => 'audit' },
] as const;

type Row = Readonly<Record<string, string | number | bigint | null | Uint8Array>>;

/**
 * After a change of keys: records that an older key sealed are sealed anew, a batch at a time, so that the older key
 * can be thrown away. Says how many were left to do; once there are none it says that it is `finished` and looks no more.
 */
export const createReseal = (
  { sql, transaction }: Database,
  seal: Seal,
  limit: number,
  finished: () => void,
): (() => number) => {
  const { currentKey } = seal;
  if (currentKey === undefined) return () => 0;
  const work = columns.map(({ table, column, id, purpose }) => {
    const where = id.map((name) => `${name} = ?`).join(' AND ');
    // A sealed value begins with its version (one byte) and the id of its key.
    const old = sql.prepare(
      `SELECT ${id.join(', ')}, ${column} AS sealed FROM ${table} WHERE substr(${column}, 2, 4) <> ? LIMIT ?`,
    );
    const update = sql.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`);
    return (): number => {
      const rows = old.all(currentKey, limit);
      for (const row of rows) {
        const anew = seal.seal(seal.open(row.sealed, purpose(row)), purpose(row));
        update.run(anew, ...id.map((name) => row[name] ?? null));
      }
      return rows.length;
    };
  });

  let done = false;
  return () => {
    if (done) return 0;
    const touched = transaction(() => work.map((next) => next()));
    done = touched.every((count) => count < limit);
    if (done) finished();
    return touched.reduce((sum, count) => sum + count, 0);
  };
};
