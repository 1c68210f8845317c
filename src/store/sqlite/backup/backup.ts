import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { StoreError } from '../../records/store-error.ts';
import { BACKUP } from '../../records/tables.ts';
import type { CopiedRow } from '../../tables/copy.ts';
import { type Sum, sumUp } from '../../tables/sum-up.ts';
import { isEncrypted } from '../../tables/unlock.ts';
import { readDriverOf } from '../driver.ts';
import { createSchema, FORMER_SCHEMAS, SCHEMA_VERSION } from '../file/schema.ts';
import { describeFileError, fileErrorKind } from '../file/sqlite-error.ts';
import { isForeignDatabase, noteIn, schemaVersion } from '../file/store-file.ts';

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
function readNote(text: unknown): BackupNote | undefined {
  try {
    return note.safeParse(JSON.parse(String(text))).data;
  } catch {
    return undefined;
  }
}

/** The sums of every table, in a store of any version, without what a backup says of itself. */
export async function tableSums(sql: DatabaseSync): Promise<BackupNote['tables']> {
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

const NONE = 'it is not a backup that npm run backup has written.';
const DAMAGED = 'it is damaged or not whole. Use another backup.';

export interface CheckedBackup extends BackupNote {
  readonly isEncrypted: boolean;
}

/** Reads all of a backup and compares it with what it must hold. `shown`: the name of the file for people. */
export async function checkBackup(path: string, shown: string): Promise<CheckedBackup> {
  let sql: DatabaseSync | undefined;
  try {
    if (statSync(path).size === 0) throw new Error(NONE);
    // Nothing in the file is carried out: neither functions of its own schema, nor extensions.
    sql = new DatabaseSync(path, { readOnly: true, defensive: true });
    sql.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
    return await checked(sql);
  } catch (error) {
    const kind = fileErrorKind(error);
    const why = kind === 'not a store' ? NONE : kind === 'damaged' ? DAMAGED : describeFileError(error);
    throw new StoreError(`The backup ${shown} cannot be used: ${why}`, { cause: error });
  } finally {
    sql?.close();
  }
}

async function checked(sql: DatabaseSync): Promise<CheckedBackup> {
  const version = schemaVersion(sql);
  if (version === 0 || isForeignDatabase(sql)) throw new Error(NONE);
  if (version > SCHEMA_VERSION)
    throw new Error(
      `it was written by a newer version of Darkroom (schema ${version}). Install that version first.`,
    );
  // Before any other table is read: a view or trigger in its place could do anything.
  if (!hasSchema(sql, version)) throw new Error(NONE);
  const note = readNote(noteIn(sql));
  if (note === undefined) throw new Error(NONE);
  // Covers the indexes, too, unlike the checksums: a job that is missing in one could be submitted again.
  const [found] = sql.prepare('PRAGMA integrity_check(1)').all();
  if (found?.integrity_check !== 'ok') throw new Error(DAMAGED);
  if (!isDeepStrictEqual(await tableSums(sql), note.tables)) throw new Error(DAMAGED);
  return { ...note, isEncrypted: await isEncrypted(readDriverOf(sql).query) };
}
