import type { SQLOutputValue } from 'node:sqlite';
import type { Database } from '../file/database.ts';
import { type Seal, SealError } from './seal.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Every column that is sealed, with what tells its purpose, and where each table begins. */
const columns = [
  {
    table: 'entries',
    column: 'value',
    id: ['namespace', 'key'],
    first: ['', ''],
    purpose: (row: Row) => String(row.namespace),
  },
  { table: 'jobs', column: 'body', id: ['seq'], first: [0], purpose: () => 'job' },
  { table: 'audit', column: 'detail', id: ['seq'], first: [0], purpose: () => 'audit' },
] as const;

/** Records that are sealed with the current key already cost little: so many are passed over for one that is not. */
const PASSED_OVER = 10;

/**
 * After a change of keys: records that an older key sealed are sealed anew, up to `limit` at a time, so that the older key
 * can be thrown away. Each table is gone through once, in the order of its key; what is written meanwhile is sealed with
 * the current key anyway. Says whether more is left; once nothing is, it says that it is `finished` and looks no more.
 */
export const createReseal = (
  { sql, transaction }: Database,
  seal: Seal,
  limit: number,
  finished: () => void,
): (() => boolean) => {
  const { currentKey } = seal;
  if (currentKey === undefined || seal.keyIds.length === 1) return () => false;
  const tables = columns.map(({ table, column, id, first, purpose }) => {
    const names = id.join(', ');
    const marks = id.map(() => '?').join(', ');
    // A sealed value begins with its version (one byte) and the id of its key.
    const page = sql.prepare(
      `SELECT ${names}, iif(substr(${column}, 2, 4) = ?, NULL, ${column}) AS sealed FROM ${table}
       WHERE (${names}) > (${marks}) ORDER BY ${names} LIMIT ?`,
    );
    const update = sql.prepare(`UPDATE ${table} SET ${column} = ? WHERE (${names}) = (${marks})`);
    let last: readonly SQLOutputValue[] = first;
    const keyOf = (row: Row): SQLOutputValue[] => id.map((name) => row[name] ?? null);
    /** Whether the table may go on behind this batch. */
    return (): boolean => {
      const old: Row[] = [];
      let passed = 0;
      let reached = last;
      for (const row of page.iterate(currentKey, ...last, limit * PASSED_OVER)) {
        passed += 1;
        reached = keyOf(row);
        if (row.sealed !== null) old.push(row);
        if (old.length === limit) break;
      }
      transaction(() => {
        for (const row of old) {
          const text = openedOf(seal, row.sealed, purpose(row));
          if (text !== undefined) update.run(seal.seal(text, purpose(row)), ...keyOf(row));
        }
      });
      // Only now: what could not be written is met again.
      last = reached;
      return old.length === limit || passed === limit * PASSED_OVER;
    };
  });

  return () => {
    const [next] = tables;
    if (next === undefined) return false;
    if (!next()) tables.shift();
    if (tables.length === 0) finished();
    return tables.length > 0;
  };
};

/** A damaged record stays as it is: it must not keep the others from being sealed anew. */
function openedOf(seal: Seal, sealed: unknown, purpose: string): string | undefined {
  try {
    return seal.open(sealed, purpose);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
