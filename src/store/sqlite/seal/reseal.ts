import type { SQLOutputValue } from 'node:sqlite';
import { RESEAL_BYTES } from '../../records/retention.ts';
import { resealed } from '../../records/seal/key-ring.ts';
import type { Seal } from '../../records/seal/seal.ts';
import { SEALED_COLUMNS } from '../../records/seal/sealed-columns.ts';
import type { Database } from '../file/database.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;

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
  const tables = SEALED_COLUMNS.map(({ table, column, id, first, purposes }) => {
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
          const fresh = resealed(seal, row.sealed, purposes(row));
          if (fresh !== undefined) update.run(fresh, ...keyOf(row));
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
