import { FIGURES } from '../../records/figures.ts';
import { GRANT } from '../../records/grants.ts';
import { RESEAL_BYTES } from '../../records/retention.ts';
import { openedOf } from '../../records/seal/key-ring.ts';
import type { Seal } from '../../records/seal/seal.ts';
import type { Query, Row } from '../database/database.ts';

interface Column {
  readonly table: string;
  readonly column: string;
  readonly id: readonly string[];
  /** The key that was reached; at first one below all others. */
  readonly last: readonly unknown[];
  readonly purpose: (row: Row) => string;
}

const COLUMNS: readonly Column[] = [
  {
    table: 'entries',
    column: 'value',
    id: ['namespace', 'key'],
    last: ['', ''],
    purpose: (row) => String(row.namespace),
  },
  { table: 'jobs', column: 'body', id: ['seq'], last: [0], purpose: () => 'job' },
  { table: 'audit', column: 'detail', id: ['seq'], last: [0], purpose: () => 'audit' },
  {
    table: 'grants',
    column: 'body',
    id: ['community', 'person'],
    last: ['', ''],
    purpose: () => GRANT,
  },
  { table: 'figures', column: 'body', id: ['scale', 'at'], last: ['', 0], purpose: () => FIGURES },
  { table: 'inbox', column: 'body', id: ['id'], last: [-1], purpose: () => 'inbox' },
];

/** Skipping a record that has the current key is cheap: so many are read for each one to re-encrypt. */
const READ_PER_UPDATE = 10;

export interface Resealed {
  /** Whether more is left. */
  readonly left: boolean;
  /** To be called after the commit, so that a failed batch is repeated. */
  committed(): void;
}

/**
 * Re-encrypts records of an older key with the current one, up to `limit` at a time, so that the older key can be removed.
 * Each table is read once, in key order; new records use the current key anyway. Calls `finished` in the last batch.
 */
export function createReseal(seal: Seal, limit: number, finished: (query: Query) => Promise<void>) {
  const { currentKey } = seal;
  let tables = currentKey !== undefined && seal.keyIds.length > 1 ? COLUMNS : [];

  return async (query: Query): Promise<Resealed> => {
    const [next, ...others] = tables;
    if (next === undefined) return { left: false, committed: () => undefined };
    const { table, column, id, purpose } = next;
    const names = id.join(', ');
    const marksFrom = (first: number): string => id.map((_, index) => `$${index + first}`).join(', ');
    // An encrypted value starts with a version byte and the id of its key.
    const rows = await query(
      `SELECT ${names}, substring(${column} FROM 2 FOR 4) <> $1 AS old FROM ${table}
       WHERE (${names}) > (${marksFrom(3)}) ORDER BY ${names} LIMIT $2`,
      [currentKey, limit * READ_PER_UPDATE, ...next.last],
    );
    let old = 0;
    let passed = 0;
    let bytes = 0;
    let last = next.last;
    let isLocked = false;
    for (const row of rows) {
      const key = id.map((name) => row[name]);
      if (row.old === true) {
        // One at a time: together they could be too large for the memory.
        const [found] = await query(
          `SELECT ${column} AS sealed FROM ${table} WHERE (${names}) = (${marksFrom(1)}) FOR UPDATE SKIP LOCKED`,
          key,
        );
        // Or gone: the next batch begins with it.
        isLocked = found === undefined;
        if (found === undefined) break;
        const { sealed } = found;
        old += 1;
        bytes += sealed instanceof Uint8Array ? sealed.length : 0;
        const text = openedOf(seal, sealed, purpose(row));
        if (text !== undefined)
          await query(`UPDATE ${table} SET ${column} = $1 WHERE (${names}) = (${marksFrom(2)})`, [
            seal.seal(text, purpose(row)),
            ...key,
          ]);
      }
      passed += 1;
      last = key;
      if (old === limit || bytes >= RESEAL_BYTES) break;
    }
    const isDone = !isLocked && old < limit && bytes < RESEAL_BYTES && passed < limit * READ_PER_UPDATE;
    const left = isDone ? others : [{ ...next, last }, ...others];
    if (left.length === 0) await finished(query);
    return {
      left: left.length > 0,
      committed() {
        tables = left;
      },
    };
  };
}
