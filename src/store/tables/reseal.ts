import { openedOf, type Seal } from '../records/seal/seal.ts';
import { TABLES } from '../records/tables.ts';
import type { Dialect, Query } from './driver.ts';

/** The tables with an encrypted column, `sealed`. `last`: the key that was reached, at first one below all. */
const SEALED_TABLES = TABLES.flatMap(({ name, columns, key, purposes }) => {
  const sealed = Object.keys(columns).find((column) => columns[column]?.kind === 'sealed');
  const last = key.map((column): unknown => (columns[column]?.kind === 'whole' ? -1 : ''));
  return sealed && purposes ? [{ name, key, purposes, sealed, last }] : [];
});

/** Smaller than that of a sweep, because encrypting costs more than removing. */
const RESEAL_BATCH = 50;
/** Or so many bytes, whichever comes first. */
const RESEAL_BYTES = 2 * 1024 * 1024;
/** Skipping a record that has the current key is cheap: so many are read. */
const READ_BATCH = 10 * RESEAL_BATCH;

export interface Resealed {
  /** Whether more is left. */
  readonly left: boolean;
  /** To be called after the commit, so that a failed batch is repeated. */
  committed(): void;
}

/**
 * Re-encrypts records of an older key with the current one, one batch at a time, so that the older key can be removed.
 * Each table is read once, in key order; new records use the current key anyway. Calls `finished` in the last batch.
 */
export function createReseal(seal: Seal, { skipLocked }: Dialect, finished: (query: Query) => Promise<void>) {
  const { currentKey } = seal;
  const isChanged = currentKey !== undefined && seal.keyIds.length > 1;
  let tables = isChanged ? SEALED_TABLES : [];

  return async (query: Query): Promise<Resealed> => {
    const [next, ...others] = tables;
    if (next === undefined) return { left: false, committed: () => undefined };
    const { name, sealed, key: id, purposes } = next;
    const names = id.join(', ');
    const marksFrom = (first: number): string => id.map((_, index) => `$${index + first}`).join(', ');
    // An encrypted value starts with a version byte and the id of its key.
    const rows = await query(
      `SELECT ${names}, substr(${sealed}, 2, 4) <> $1 AS old FROM ${name}
       WHERE (${names}) > (${marksFrom(3)}) ORDER BY ${names} LIMIT $2`,
      [currentKey, READ_BATCH, ...next.last],
    );
    let { last } = next;
    let [passed, old, bytes] = [0, 0, 0];
    for (const row of rows) {
      if (old === RESEAL_BATCH || bytes >= RESEAL_BYTES) break;
      const key = id.map((name) => row[name]);
      if (row.old) {
        // One at a time: together they could be too large for the memory.
        const [found] = await query(
          `SELECT * FROM ${name} WHERE (${names}) = (${marksFrom(1)})${skipLocked}`,
          key,
        );
        // Locked, or gone: the next batch begins with it.
        if (found === undefined) break;
        const value = found[sealed];
        old += 1;
        bytes += value instanceof Uint8Array ? value.length : 0;
        const update = `UPDATE ${name} SET ${sealed} = $1 WHERE (${names}) = (${marksFrom(2)})`;
        for (const purpose of purposes(found)) {
          const text = openedOf(seal, value, purpose);
          if (text === undefined) continue;
          await query(update, [seal.seal(text, purpose), ...key]);
          break;
        }
      }
      passed += 1;
      last = key;
    }
    const isDone = passed === rows.length && passed < READ_BATCH;
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
