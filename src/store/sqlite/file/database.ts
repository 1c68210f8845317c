import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { machineTime } from '../../../base/clock.ts';
import { isThere } from '../../../base/make-folder.ts';
import { type Migration, migrationOf } from '../../records/migration.ts';
import { StoreDamagedError, StoreError, StoreVersionError } from '../../records/store-error.ts';
import { BACKUP } from '../../records/tables.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createFileIdentityCheck } from './file-identity.ts';
import { createSchema, SCHEMA_VERSION, upgradeSchema } from './schema.ts';
import { describeFileError, fileErrorKind } from './sqlite-error.ts';
import { createWriteAheadLog } from './write-ahead-log.ts';

export interface Database {
  readonly sql: DatabaseSync;
  /** By opening it. */
  readonly migration?: Migration | undefined;
  /** All or nothing; survives a crash of the process. `lossy`: a power cut may undo it. */
  transaction<T>(work: () => T, durability?: 'durable' | 'lossy'): T;
  /** The same over several turns of the event loop: the caller lets nobody else use the file meanwhile. */
  asyncTransaction<T>(work: () => Promise<T>, durability?: 'durable' | 'lossy'): Promise<T>;
  /** Resolves when every transaction so far would also survive a power cut; `patienceMs`: see the log. */
  onDisk(patienceMs?: number): Promise<void>;
  /** One statement that a power cut may undo. */
  note<T>(statement: () => T): T;
  /** Personal data was deleted: `scrub` then removes it from the log too. */
  removed(): void;
  /** Empties the log, in a worker thread, if something was removed. */
  scrub(): void;
  /** Throws when writes are not durable: the file was removed or replaced, or the disk fails. */
  check(): void;
  /** Rejects every further write with this error. */
  refuse(reason: Error): void;
  close(): void;
}

/** SQLite's own checkpoint, inside a commit, starts here: only when the worker thread has failed. */
const AUTOCHECKPOINT_PAGES = 16_000;
/** Changed records are counted now and then: counting costs as much as a small write. */
const WRITES_PER_COUNT = 16;
/** After the files were found in their places, writes do not look again for so long. */
const CHECKED_MS = 50;

/**
 * Opens or creates the file, readable by its owner alone, and migrates it. `path`: see `realFile`; `beside`: other files
 * that must not be removed while it is open.
 */
export function openDatabase(path: string, beside: readonly string[] = []): Database {
  if (path !== ':memory:') prepareFile(path);
  const sql = new DatabaseSync(path, { timeout: 5000 });
  try {
    requireStore(sql);
    requireNumbers(sql);
    return prepared(sql, path, beside);
  } catch (error) {
    sql.close();
    throw error;
  }
}

function prepareFile(path: string): void {
  // SQLite would create it readable to others.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  requireFile(path);
  if (statSync(path).nlink > 1) {
    throw new Error(
      'the file has a second name (a hard link); used under both it would be damaged. Remove one of the names, or make it a copy.',
    );
  }
}

/** SQLite's own error would not say that it does not exist. */
export function requireThere(path: string): void {
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

/** SQLite's own error for a folder would be of the disk. */
export function requireFile(path: string): void {
  if (!statSync(path).isFile())
    throw new Error('it is a folder or a device, not a file. Set STORE_URL to a file.');
}

const IS_A_BACKUP =
  'The file of STORE_URL is a backup: jobs that wait in it may have been submitted since. Restore it with: npm run restore -- FILE';

/** Asked before anything is changed in it. */
function requireStore(sql: DatabaseSync): void {
  if (isForeignDatabase(sql)) throw new Error('it is a database of another program.');
  if (noteIn(sql) !== undefined) throw new StoreError(IS_A_BACKUP);
}

/** Records are numbered from 1 on: a higher number is damaged, and those after it could not be read. */
export const HIGHEST_NUMBER = 2 ** 52;

const NUMBERED_TABLES = ['jobs', 'audit', 'damaged'];

/** Throws where further records could not be numbered. */
export function requireNumbers(sql: DatabaseSync): void {
  const present = tablesOf(sql);
  for (const table of NUMBERED_TABLES.filter((name) => present.includes(name))) {
    const highest = `(SELECT max(seq) FROM ${table})`;
    if (sql.prepare(`SELECT ${highest} > ${HIGHEST_NUMBER} AS isDamaged`).get()?.isDamaged === 1)
      throw new Error(`it is damaged: a record of its table ${table} has a number that is far too large.`);
  }
}

/** Of a column of bytes; those of versions before were texts. */
export const textIn = (value: unknown): string | undefined =>
  value === undefined || value === null
    ? undefined
    : value instanceof Uint8Array
      ? Buffer.from(value).toString()
      : String(value);

/** What a backup says of itself; undefined: it is none. */
export function noteIn(sql: DatabaseSync): string | undefined {
  return tablesOf(sql).includes('meta')
    ? textIn(sql.prepare('SELECT value FROM meta WHERE name = ?').get(BACKUP)?.value)
    : undefined;
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

function prepared(sql: DatabaseSync, path: string, beside: readonly string[]): Database {
  // Without a write-ahead log (some network disks) every commit must wait for the disk.
  const mode = sql.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  sql.exec(`
    PRAGMA synchronous = ${mode === 'wal' ? 'NORMAL' : 'FULL'};
    PRAGMA temp_store = MEMORY;
    PRAGMA secure_delete = ON;
    PRAGMA foreign_keys = ON;
    PRAGMA cell_size_check = ON;
    PRAGMA wal_autocheckpoint = ${AUTOCHECKPOINT_PAGES};
    PRAGMA journal_size_limit = 33554432;
  `);
  const files = mode === 'wal' ? [path, `${path}-wal`, `${path}-shm`] : path === ':memory:' ? [] : [path];
  const database = wrap(sql, mode === 'wal' ? path : undefined, [...files, ...beside]);
  return { ...database, migration: migrate(database) };
}

/** `path`: only of a file with a write-ahead log; without one, every commit is on disk (or in memory) at once. */
function wrap(sql: DatabaseSync, path: string | undefined, files: readonly string[]): Database {
  const begin = sql.prepare('BEGIN IMMEDIATE');
  const commit = sql.prepare('COMMIT');
  const rollback = sql.prepare('ROLLBACK');
  let refused: Error | undefined;
  /** Made after the first write, when SQLite's own files exist; they stay until it is closed. */
  let checkIdentity: (() => void) | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const checkWritable = (): void => {
    if (refused !== undefined) throw refused;
    checkedAt = Number.NEGATIVE_INFINITY;
    checkIdentity?.();
    checkedAt = machineTime.passed();
  };
  const rewrite = (): void => {
    const { busy } = sql.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
    if (busy !== 0) throw new Error('The log could not be copied into the file after the disk had failed.');
  };
  const log =
    path === undefined ? undefined : createWriteAheadLog(`${path}-wal`, { check: checkWritable, rewrite });
  const checkpoints = path === undefined ? undefined : createCheckpoints(path);
  const changes = sql.prepare('SELECT total_changes() AS count');
  let counted = 0;
  let writes = 0;
  const beforeWrite = (): void => {
    // They are looked for again after each sync, before anybody is told that it was written.
    const isChecked = log !== undefined && machineTime.passed() - checkedAt < CHECKED_MS;
    if (refused !== undefined || !isChecked) checkWritable();
  };
  const afterWrite = (): void => {
    checkIdentity ??= createFileIdentityCheck(files);
    writes += 1;
    if (writes % WRITES_PER_COUNT !== 0) return;
    const count = Number(changes.get()?.count ?? 0);
    checkpoints?.wrote(count - counted);
    counted = count;
  };
  const onFailure = (error: unknown): unknown => {
    if (sql.isTransaction) rollback.run();
    const kind = fileErrorKind(error);
    // An exceeded quota or file size limit is reported as a disk error.
    if (kind === 'full' || kind === 'disk') checkpoints?.logFull();
    // Writing to a damaged file could make it worse.
    if (kind === 'damaged')
      refused ??= new StoreDamagedError(`The store ${files[0]}: ${describeFileError(error)}`);
    return error;
  };
  const end = (durability: 'durable' | 'lossy'): void => {
    commit.run();
    if (durability === 'durable') log?.written();
    afterWrite();
  };

  return {
    sql,
    transaction(work, durability = 'durable') {
      beforeWrite();
      try {
        begin.run();
        const result = work();
        end(durability);
        return result;
      } catch (error) {
        throw onFailure(error);
      }
    },
    async asyncTransaction(work, durability = 'durable') {
      beforeWrite();
      try {
        begin.run();
        const result = await work();
        end(durability);
        return result;
      } catch (error) {
        throw onFailure(error);
      }
    },
    note(statement) {
      beforeWrite();
      try {
        const result = statement();
        afterWrite();
        return result;
      } catch (error) {
        throw onFailure(error);
      }
    },
    onDisk: async (patienceMs) => log?.onDisk(patienceMs),
    removed: () => checkpoints?.removed(),
    scrub: () => checkpoints?.scrub(),
    check() {
      checkWritable();
      log?.check();
    },
    refuse(reason) {
      refused ??= reason;
    },
    close() {
      log?.close();
      checkpoints?.close();
      if (sql.isOpen) sql.close();
    },
  };
}

/** For what is read or filled as it is: throws unless it is a store of this version. */
export function requireCurrent(sql: DatabaseSync): void {
  requireStore(sql);
  const version = schemaVersion(sql);
  requireKnown(version);
  if (version < SCHEMA_VERSION) throw new StoreVersionError('OLDER_STORE', version);
}

function requireKnown(version: number): void {
  if (version > SCHEMA_VERSION) throw new StoreVersionError('NEWER_STORE', version);
}

/** 0: there are no tables. */
export function schemaVersion(sql: DatabaseSync): number {
  return tablesOf(sql).includes('migrations')
    ? Number(sql.prepare('SELECT max(version) AS version FROM migrations').get()?.version ?? 0)
    : 0;
}

function migrate({ sql, transaction }: Database): Migration | undefined {
  const began = performance.now();
  return transaction(() => {
    const version = schemaVersion(sql);
    requireKnown(version);
    if (version === 0) createSchema(sql);
    else if (version < SCHEMA_VERSION) upgradeSchema(sql, version);
    return migrationOf(version, SCHEMA_VERSION, began);
  });
}
