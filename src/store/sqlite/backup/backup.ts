import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { StoreError } from '../../records/store-error.ts';
import { type CopiedRow, sumUpTable, type TableSum } from '../../tables/copy.ts';
import { isEncrypted, refuseHalfMoved } from '../../tables/meta.ts';
import { BACKUP } from '../../tables/schema.ts';
import { readDriverOf } from '../driver.ts';
import { createSchema, FORMER_SCHEMAS, SCHEMA_VERSION } from '../file/schema.ts';
import { describeFileError, fileError, fileErrorKind, isWriteError } from '../file/sqlite-error.ts';
import * as files from '../file/store-file.ts';

const sum = z.strictObject({ records: z.int().min(0), checksum: z.hex().length(64) });
/** The note that a backup has about itself. */
const note = z.strictObject({
  /** When it was begun: it holds what was stored by then. */
  at: z.iso.datetime(),
  version: z.string().regex(/^[\w.+-]{1,40}$/),
  tables: z.record(z.string().regex(/^[a-z_]{1,40}$/), sum),
});
export type BackupNote = Readonly<z.infer<typeof note>>;

/** The sums of every table, in a store of any version, without what a backup says of itself. */
async function tableSums(sql: DatabaseSync): Promise<BackupNote['tables']> {
  const sums: Record<string, TableSum> = {};
  for (const name of files.tablesOf(sql)) sums[name] = await sumUpTable(rowsOf(sql, name));
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

/** Tables that SQLite makes by itself, after ANALYZE. */
const STATISTICS = /^sqlite_stat\d$/;

function objectsOf(sql: DatabaseSync) {
  return sql
    .prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name')
    .all()
    .filter(({ name }) => !STATISTICS.test(String(name)));
}

function sumOf(sql: DatabaseSync): string {
  const objects = objectsOf(sql).map(({ type, name, tbl_name, sql: text }) => [type, name, tbl_name, text]);
  return createHash('sha256').update(JSON.stringify(objects)).digest('hex');
}

function inNewStore<T>(work: (sql: DatabaseSync) => T): T {
  using sql = new DatabaseSync(':memory:');
  createSchema(sql);
  return work(sql);
}

/** Whether it has exactly the tables, indexes and triggers of a store of that version. */
const hasSchema = (sql: DatabaseSync, version: number): boolean =>
  sumOf(sql) === (version === SCHEMA_VERSION ? inNewStore(sumOf) : FORMER_SCHEMAS[version]);

function strangeIn(sql: DatabaseSync): readonly string[] {
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
  try {
    if (statSync(path).size === 0) throw new Error(NONE);
    // Nothing in the file is carried out: neither functions of its own schema, nor extensions.
    using sql = new DatabaseSync(path, { readOnly: true, defensive: true });
    sql.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0');
    return await checked(sql);
  } catch (error) {
    const kind = fileErrorKind(error);
    const why = kind === 'not a store' ? NONE : kind === 'damaged' ? DAMAGED : describeFileError(error);
    throw new StoreError(`The backup ${shown} cannot be used: ${why}`, { cause: error });
  }
}

function saidBy(sql: DatabaseSync): BackupNote {
  try {
    return note.parse(JSON.parse(files.backupNoteIn(sql) ?? ''));
  } catch {
    throw new Error(NONE);
  }
}

async function checked(sql: DatabaseSync): Promise<CheckedBackup> {
  const version = files.schemaVersion(sql);
  if (version === 0 || files.isForeignDatabase(sql)) throw new Error(NONE);
  if (version > SCHEMA_VERSION)
    throw new Error(
      `it was written by a newer version of Darkroom (schema ${version}). Install that version first.`,
    );
  // Before any other table is read: a view or trigger in its place could do anything.
  if (!hasSchema(sql, version)) throw new Error(NONE);
  const said = saidBy(sql);
  // Covers the indexes, too, unlike the checksums: a job that is missing in one could be submitted again.
  const [found] = sql.prepare('PRAGMA integrity_check(1)').all();
  if (found?.integrity_check !== 'ok') throw new Error(DAMAGED);
  if (!isDeepStrictEqual(await tableSums(sql), said.tables)) throw new Error(DAMAGED);
  return { ...said, isEncrypted: await isEncrypted(readDriverOf(sql).query) };
}

/** One state of a store of any version, without what was deleted, while a Darkroom may work on it. `to`: an empty file. */
export async function copyWhileInUse(path: string, to: string): Promise<void> {
  try {
    using sql = files.openToRead(path);
    files.requireStore(sql, 'it is a backup already.');
    await refuseHalfMoved(readDriverOf(sql).query);
    refuseStrange(sql);
    sql.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    // The store is only read.
    throw isWriteError(error) ? error : fileError(error, path, 'copied');
  }
}

/** A restore could not distinguish what else the owner made in the file from what was put into the backup. */
function refuseStrange(sql: DatabaseSync): void {
  const version = files.schemaVersion(sql);
  files.requireKnown(version);
  if (hasSchema(sql, version)) return;
  throw new Error(
    `it has tables, indexes, views or triggers that are not Darkroom's: ${strangeIn(sql).join(', ')}.`,
  );
}

/** Turns a store that no process uses into a backup, in one file and on disk. */
export async function markAsBackup(path: string, about: Omit<BackupNote, 'tables'>): Promise<void> {
  {
    using sql = new DatabaseSync(path, { timeout: files.BUSY_TIMEOUT_MS });
    for (const name of files.tablesOf(sql)) if (STATISTICS.test(name)) sql.exec(`DROP TABLE ${name}`);
    const note = Buffer.from(JSON.stringify({ ...about, tables: await tableSums(sql) }));
    sql.prepare('INSERT INTO meta (name, value) VALUES (?, ?)').run(BACKUP, note);
  }
  intoOneFile(path);
}

/** Brings a database into one file, without a log beside it, and onto disk. The thread that copies the log may still be at work. */
export function intoOneFile(path: string): void {
  {
    using sql = new DatabaseSync(path, { timeout: files.BUSY_TIMEOUT_MS });
    const mode = sql.prepare('PRAGMA journal_mode = DELETE').get()?.journal_mode;
    if (mode !== 'delete') throw new Error(`its log could not be copied into it (${mode}).`);
  }
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
