import type { SQLOutputValue } from 'node:sqlite';
import { FIGURES } from '../../records/figures.ts';
import { GRANT } from '../../records/grants.ts';
import { RESEAL_BYTES } from '../../records/retention.ts';
import { openedOf } from '../../records/seal/key-ring.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Database } from '../file/database.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;

/** Every encrypted column with its purpose, and a key below the first of its table. */
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
  { table: 'grants', column: 'body', id: ['community', 'person'], first: ['', ''], purpose: () => GRANT },
  { table: 'figures', column: 'body', id: ['scale', 'at'], first: ['', 0], purpose: () => FIGURES },
] as const;

/** Skipping a record that has the current key is cheap: so many are read for each one to re-encrypt. */
const readPerUpdate = 10;

/**
 * Re-encrypts records of an older key with the current one, up to `limit` at a time, so that the older key can be removed.
 * Each table is read once, in key order; new records use the current key anyway. Returns whether more is left; calls
 * `finished` once at the end.
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
    // An encrypted value starts with a version byte and the id of its key.
    const page = sql.prepare(
      `SELECT ${names}, length(${column}) AS bytes, iif(substr(${column}, 2, 4) = ?, NULL, ${column}) AS sealed FROM ${table}
       WHERE (${names}) > (${marks}) ORDER BY ${names} LIMIT ?`,
    );
    const update = sql.prepare(`UPDATE ${table} SET ${column} = ? WHERE (${names}) = (${marks})`);
    let last: readonly SQLOutputValue[] = first;
    const keyOf = (row: Row): SQLOutputValue[] => id.map((name) => row[name] ?? null);
    /** Returns whether the table may have more rows. */
    return (): boolean => {
      const old: Row[] = [];
      let passed = 0;
      let bytes = 0;
      let reached = last;
      for (const row of page.iterate(currentKey, ...last, limit * readPerUpdate)) {
        passed += 1;
        reached = keyOf(row);
        if (row.sealed !== null) old.push(row);
        bytes += Number(row.bytes) / (row.sealed === null ? readPerUpdate : 1);
        if (old.length === limit || bytes >= RESEAL_BYTES) break;
      }
      transaction(() => {
        for (const row of old) {
          const text = openedOf(seal, row.sealed, purpose(row));
          if (text !== undefined) update.run(seal.seal(text, purpose(row)), ...keyOf(row));
        }
      });
      // After the commit, so that a failed batch is repeated.
      last = reached;
      return old.length === limit || bytes >= RESEAL_BYTES || passed === limit * readPerUpdate;
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
