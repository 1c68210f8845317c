import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { BACKUP } from '../../records/tables.ts';
import type { CopiedRow } from '../../tables/copy.ts';
import { type Sum, sumUp } from '../../tables/sum-up.ts';
import { createSchema, FORMER_SCHEMAS, SCHEMA_VERSION } from '../file/schema.ts';

/** What a backup says of itself. */
export interface BackupNote {
  /** When it was begun: it holds what was stored by then. */
  readonly at: string;
  /** The version of Darkroom that wrote it. */
  readonly version: string;
  readonly tables: Readonly<Record<string, Sum>>;
}

const sum = z.strictObject({ records: z.int().min(0), checksum: z.hex().length(64) });
const note = z.strictObject({
  at: z.iso.datetime(),
  version: z.string().regex(/^[\w.+-]{1,40}$/),
  tables: z.record(z.string().regex(/^[a-z_]{1,40}$/), sum),
});

/** Undefined: it is none. */
export function readNote(text: unknown): BackupNote | undefined {
  try {
    return note.safeParse(JSON.parse(String(text))).data;
  } catch {
    return undefined;
  }
}

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

/** SQLite's own, after ANALYZE. */
export const STATISTICS = /^sqlite_stat\d$/;

function objectsOf(sql: DatabaseSync) {
  return sql
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
    .all()
    .filter(({ name }) => !STATISTICS.test(String(name)));
}

const sumOf = (sql: DatabaseSync): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        objectsOf(sql).map(({ type, name, tbl_name, sql: text }) => [type, name, tbl_name, text]),
      ),
    )
    .digest('hex');

function inNewStore<T>(work: (sql: DatabaseSync) => T): T {
  const sql = new DatabaseSync(':memory:');
  try {
    createSchema(sql);
    return work(sql);
  } finally {
    sql.close();
  }
}

/** Whether it has exactly the tables, indexes and triggers of a store of that version. */
export const hasSchema = (sql: DatabaseSync, version: number): boolean =>
  sumOf(sql) === (version === SCHEMA_VERSION ? inNewStore(sumOf) : FORMER_SCHEMAS[version]);

/** Names of what a store does not have. */
export function strangeIn(sql: DatabaseSync): readonly string[] {
  const names = (of: DatabaseSync): string[] => objectsOf(of).map(({ name }) => String(name));
  const known = new Set(inNewStore(names));
  return names(sql).filter((name) => !known.has(name));
}
