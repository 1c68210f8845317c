import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isThere } from '../../../base/make-folder.ts';
import { StoreError, StoreVersionError } from '../../records/store-error.ts';
import { BACKUP } from '../../records/tables.ts';
import { SCHEMA_VERSION } from './schema.ts';

/** SQLite's own error would not say that it does not exist. */
function requireThere(path: string): void {
  try {
    if (isThere(path)) return;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))
      throw new StoreError(
        `The store ${path} cannot be read (STORE_URL): this user may not enter its folder.`,
        {
          cause: error,
        },
      );
  }
  throw new StoreError(`There is no store at ${path} (STORE_URL).`);
}

/** How long to wait while another process writes. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Opens a file of which nothing is changed. */
export function openToRead(path: string): DatabaseSync {
  requireThere(path);
  requireFile(path);
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** SQLite's own error for a folder would be of the disk. */
export function requireFile(path: string): void {
  if (!statSync(path).isFile())
    throw new Error('it is a folder or a device, not a file. Set STORE_URL to a file.');
}

const IS_A_BACKUP =
  'The file of STORE_URL is a backup: jobs that wait in it may have been submitted since. Restore it with: npm run restore -- FILE';

/** Asked before anything is changed in it, or read. `isBackup`: said of one. */
export function requireStore(sql: DatabaseSync, isBackup: Error = new StoreError(IS_A_BACKUP)): void {
  if (isForeignDatabase(sql)) throw new Error('it is a database of another program.');
  if (noteIn(sql) !== undefined) throw isBackup;
}

/** What a backup says of itself; undefined: it is none. */
export function noteIn(sql: DatabaseSync): string | undefined {
  if (!tablesOf(sql).includes('meta')) return undefined;
  const row = sql.prepare('SELECT CAST(value AS TEXT) AS note FROM meta WHERE name = ?').get(BACKUP);
  return row === undefined ? undefined : String(row.note);
}

/** Whether it belongs to another program. */
export function isForeignDatabase(sql: DatabaseSync): boolean {
  const tables = tablesOf(sql);
  return tables.length > 0 && !tables.includes('migrations');
}

function tablesOf(sql: DatabaseSync): string[] {
  return sql
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
}

/** For what is read or filled as it is: throws unless it is a store of this version. */
export function requireCurrent(sql: DatabaseSync): void {
  requireStore(sql);
  const version = schemaVersion(sql);
  requireKnown(version);
  if (version < SCHEMA_VERSION) throw new StoreVersionError('OLDER_STORE', version);
}

export function requireKnown(version: number): void {
  if (version > SCHEMA_VERSION) throw new StoreVersionError('NEWER_STORE', version);
}

/** 0: there are no tables. */
export function schemaVersion(sql: DatabaseSync): number {
  return tablesOf(sql).includes('migrations')
    ? Number(sql.prepare('SELECT max(version) AS version FROM migrations').get()?.version ?? 0)
    : 0;
}
