import type { DatabaseSync } from 'node:sqlite';
import { BACKUP } from '../../records/tables.ts';
import type { CopiedRow } from '../../tables/copy.ts';
import { type Sum, sumUp } from '../../tables/sum-up.ts';
import type { BackupNote } from './backup-note.ts';

/** Of every table of a store of whichever version, without what a backup says of itself. */
export async function sumsOf(sql: DatabaseSync): Promise<BackupNote['tables']> {
  const sums: Record<string, Sum> = {};
  const tables = sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  for (const table of tables) {
    const name = String(table.name);
    sums[name] = await sumUp(rowsOf(sql, name));
  }
  return sums;
}

function* rowsOf(sql: DatabaseSync, table: string): Iterable<CopiedRow> {
  const rows = sql.prepare(`SELECT * FROM ${table}`);
  // A damaged number may be larger than others.
  rows.setReadBigInts(true);
  rows.setReturnArrays(true);
  for (const row of rows.iterate()) {
    const values = Object.values(row);
    if (table !== 'meta' || values[0] !== BACKUP)
      yield values.map((value) => (typeof value === 'bigint' ? String(value) : value));
  }
}
