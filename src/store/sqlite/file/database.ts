import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { machineTime } from '../../../base/clock.ts';
import { StoreDamagedError, StoreGoneError } from '../../records/store-error.ts';
import { type Migration, migrationOf } from '../../tables/schema.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createSchema, SCHEMA_VERSION, upgradeSchema } from './schema.ts';
import { describeFileError, fileErrorKind } from './sqlite-error.ts';
import { BUSY_TIMEOUT_MS, requireFile, requireKnown, requireStore, schemaVersion } from './store-file.ts';
import { createWriteAheadLog } from './write-ahead-log.ts';

export type Database = ReturnType<typeof openDatabase>;

/** A log of so many pages is copied by SQLite itself, inside a commit: only when the worker thread has failed. */
const AUTOCHECKPOINT_PAGES = 16_000;
/** Changed records are counted after so many writes: counting costs as much as a small write. */
const WRITES_PER_COUNT = 16;
/** Writes do not look again for so long whether the files are in their places. */
const CHECKED_MS = 50;

/** Opens or creates the file, for its owner alone, and migrates it. `beside`: other files that must stay while it is open. */
export function openDatabase(path: string, beside: readonly string[] = []) {
  if (path !== ':memory:') prepareFile(path);
  const sql = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    requireStore(sql);
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
  if (statSync(path).nlink > 1)
    throw new Error(
      'the file has a second name (a hard link); used under both it would be damaged. Remove one of the names, or make it a copy.',
    );
}

function prepared(sql: DatabaseSync, path: string, beside: readonly string[]) {
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
  const writing = wrap(sql, mode === 'wal' ? path : undefined, [...files, ...beside]);
  return { sql, migration: migrate(sql), ...writing };
}

/** Writes with their checks. `path`: of a file with a write-ahead log; without one, every commit is on disk (or in memory) at once. */
function wrap(sql: DatabaseSync, path: string | undefined, files: readonly string[]) {
  const [begin, commit] = [sql.prepare('BEGIN IMMEDIATE'), sql.prepare('COMMIT')];
  let refused: Error | undefined;
  /** Made after the first write, when SQLite's own files exist; they stay until it is closed. */
  let checkIdentity: (() => void) | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const checkWritable = (): void => {
    if (refused !== undefined) throw refused;
    checkedAt = Number.NEGATIVE_INFINITY;
    if (writes > 0) checkIdentity ??= createFileIdentityCheck(files);
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
    // The files are checked again during each sync, before a write is reported as durable.
    const isChecked = log !== undefined && machineTime.passed() - checkedAt < CHECKED_MS;
    if (refused !== undefined || !isChecked) checkWritable();
  };
  const afterWrite = (): void => {
    try {
      checkIdentity ??= createFileIdentityCheck(files);
    } catch {
      // The write is committed. Whatever follows, its sync first, tries again.
    }
    writes += 1;
    if (writes % WRITES_PER_COUNT !== 0) return;
    const count = Number(changes.get()?.count ?? 0);
    checkpoints?.wrote(count - counted);
    counted = count;
  };
  const onFailure = (error: unknown): unknown => {
    if (sql.isTransaction) sql.exec('ROLLBACK');
    const kind = fileErrorKind(error);
    // An exceeded quota or file size limit is reported as a disk error.
    if (kind === 'full' || kind === 'disk') checkpoints?.logFull();
    // Writing to a damaged file could make it worse.
    if (kind === 'damaged')
      refused ??= new StoreDamagedError(`The store ${files[0]}: ${describeFileError(error)}`);
    return error;
  };
  const note = async <T>(work: () => T | Promise<T>): Promise<T> => {
    beforeWrite();
    try {
      const result = await work();
      afterWrite();
      return result;
    } catch (error) {
      throw onFailure(error);
    }
  };

  return {
    note,
    /** `lossy`: a power cut may undo it. The caller keeps others from the file meanwhile. */
    transaction: <T>(work: () => T | Promise<T>, durability: 'durable' | 'lossy' = 'durable'): Promise<T> =>
      note(async () => {
        begin.run();
        const result = await work();
        commit.run();
        if (durability === 'durable') log?.written();
        return result;
      }),
    /** Resolves when every transaction so far would also survive a power cut; `patienceMs`: see the log. */
    onDisk: async (patienceMs?: number) => log?.onDisk(patienceMs),
    removed: () => checkpoints?.removed(),
    scrub: () => checkpoints?.scrub(),
    /** Throws when writes are not durable: the file was removed or replaced, or the disk fails. */
    check(): void {
      checkWritable();
      log?.check();
    },
    refuse(reason: Error): void {
      refused ??= reason;
    },
    close(): void {
      log?.close();
      checkpoints?.close();
      if (sql.isOpen) sql.close();
    },
  };
}

function migrate(sql: DatabaseSync): Migration | undefined {
  const began = performance.now();
  sql.exec('BEGIN IMMEDIATE');
  const version = schemaVersion(sql);
  requireKnown(version);
  if (version === 0) createSchema(sql);
  else if (version < SCHEMA_VERSION) upgradeSchema(sql, version);
  sql.exec('COMMIT');
  return migrationOf(version, SCHEMA_VERSION, began);
}

/** The check throws when one of the files was removed or replaced: writes to the open file would succeed and be lost. */
function createFileIdentityCheck(paths: readonly string[]): () => void {
  const first = new Map(paths.map((path) => [path, idOf(path)]));
  return () => {
    for (const [path, id] of first)
      if (idOf(path) !== id)
        throw new StoreGoneError(
          `${path} was removed or replaced while Darkroom runs on it: nothing is accepted. Put it back as it was, or stop Darkroom and start it again on what is there now.`,
        );
  };
}

function idOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
