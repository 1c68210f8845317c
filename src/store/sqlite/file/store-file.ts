import { chmodSync, chownSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isThere, makeFolder } from '../../../base/make-folder.ts';
import { StoreError, StoreVersionError } from '../../records/store-error.ts';
import { BACKUP } from '../../tables/schema.ts';
import { SCHEMA_VERSION } from './schema.ts';
import { fileErrorKind } from './sqlite-error.ts';

/** Throws if there is no file: SQLite's own error would not say so. */
function requireThere(path: string): void {
  try {
    if (isThere(path)) return;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))
      throw new StoreError(
        `The store ${path} cannot be read (STORE_URL): this user may not enter its folder.`,
        { cause: error },
      );
  }
  throw new StoreError(`There is no store at ${path} (STORE_URL).`);
}

/** So long a statement waits while another program has locked the file. */
export const BUSY_TIMEOUT_MS = 5_000;

/** Opens a file of which nothing is changed. */
export function openToRead(path: string): DatabaseSync {
  requireThere(path);
  requireFile(path);
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/** Throws for a folder, for which SQLite's own error would blame the disk. */
export function requireFile(path: string): void {
  if (!statSync(path).isFile())
    throw new Error('it is a folder or a device, not a file. Set STORE_URL to a file.');
}

/** Throws for a file of another program, and for a backup, before anything in it is changed or read. `isBackup`: the message then. */
export function requireStore(sql: DatabaseSync, isBackup?: string): void {
  if (isForeignDatabase(sql)) throw new Error('it is a database of another program.');
  if (backupNoteIn(sql) === undefined) return;
  if (isBackup !== undefined) throw new Error(isBackup);
  throw new StoreError(
    'The file of STORE_URL is a backup: jobs that wait in it may have been submitted since. Restore it with: npm run restore -- FILE',
  );
}

/** The note that a backup has about itself; undefined: the file is none. */
export function backupNoteIn(sql: DatabaseSync): string | undefined {
  if (!tablesOf(sql).includes('meta')) return undefined;
  const row = sql.prepare('SELECT CAST(value AS TEXT) AS note FROM meta WHERE name = ?').get(BACKUP);
  return row === undefined ? undefined : String(row.note);
}

/** Whether the file has tables, and they are not Darkroom's. */
export function isForeignDatabase(sql: DatabaseSync): boolean {
  const tables = tablesOf(sql);
  return tables.length > 0 && !tables.includes('migrations');
}

export const tablesOf = (sql: DatabaseSync): string[] =>
  sql
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name));

/** Throws for anything but a store of this version: for tools that read or fill a file as it is. */
export function requireCurrent(sql: DatabaseSync): void {
  requireStore(sql);
  const version = schemaVersion(sql);
  requireKnown(version);
  if (version < SCHEMA_VERSION) throw new StoreVersionError('OLDER_STORE', version);
}

/** Throws for a schema of a newer version of Darkroom. */
export function requireKnown(version: number): void {
  if (version > SCHEMA_VERSION) throw new StoreVersionError('NEWER_STORE', version);
}

/** The number of a file's schema; 0: there are no tables. */
export const schemaVersion = (sql: DatabaseSync): number =>
  tablesOf(sql).includes('migrations')
    ? Number(sql.prepare('SELECT max(version) AS version FROM migrations').get()?.version ?? 0)
    : 0;

/** More links in a row are a loop. */
const MAX_LINKS = 40;

/** SQLite keeps its log beside the real file, and two spellings must not be two stores. Creates the folder, not the file. */
export function realFile(path: string): string {
  if (path === ':memory:') return path;
  let file = resolve(path);
  makeFolder(dirname(file));
  for (let links = 0; links < MAX_LINKS; links += 1) {
    // The linked disk may not be mounted: no empty store must be created in its place.
    if (!isThere(dirname(file)))
      throw new Error(`it is a link to a folder that does not exist: ${dirname(file)}.`);
    const target = linkOf(file);
    // `native` also returns the spelling on disk where case does not matter.
    if (target === undefined) {
      const name = basename(isThere(file) ? realpathSync.native(file) : file);
      return join(realpathSync.native(dirname(file)), name);
    }
    file = resolve(dirname(file), target);
  }
  throw new Error('its symbolic links form a loop.');
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

/** A process that was just asked to stop may need this long. */
const DEFAULT_TIMEOUT_MS = 2_000;

/**
 * Two processes on one store would each take the other's jobs for abandoned. An empty file beside the store is locked,
 * because backups and tools must be able to read the store; the system unlocks it however the process ends. Returns the
 * release function; undefined: another process holds the lock.
 */
export function acquireLock(path: string, timeoutMs = DEFAULT_TIMEOUT_MS): (() => void) | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: timeoutMs });
    chmodSync(path, 0o600);
    giveToOwner(path);
    // Nothing is written to it, so it needs no journal file.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => lock?.close();
  } catch (error) {
    lock?.close();
    // Locking is not possible here; opening the store reports what is wrong, if anything is.
    return fileErrorKind(error) === 'busy' ? undefined : () => undefined;
  }
}

/** A tool may run as root: the user that Darkroom runs as must be able to open it. */
function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}

/** The empty file beside a store that is locked in its place. */
export const lockOf = (file: string): string => `${file}-lock`;

/** The file beside a store that says when its last backup was made. */
export const backupNoteOf = (file: string): string => `${file}-backed-up`;

/** Locks a store that is copied or replaced as a whole; throws while another process holds the lock. */
export function lockFile(file: string): () => void {
  const release = acquireLock(lockOf(file));
  if (release !== undefined) return release;
  throw new StoreError(
    `A process works on the store ${file}. Stop Darkroom first, and run the command again.`,
  );
}

export function isFileInUse(file: string): boolean {
  const release = acquireLock(lockOf(file), 0);
  release?.();
  return release === undefined;
}

/** All names that SQLite and Darkroom use beside a store. */
export const filesBeside = (file: string): readonly string[] => [
  ...['-wal', '-shm', '-journal'].map((end) => `${file}${end}`),
  lockOf(file),
];
