import { renameSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isThere, makeFolder } from '../../base/make-folder.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS users (name TEXT PRIMARY KEY, credits INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS aliases (
    id TEXT PRIMARY KEY,
    user TEXT NOT NULL,
    ai_filter TEXT NOT NULL,
    project TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    last_used TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS alias_history (
    alias TEXT NOT NULL REFERENCES aliases (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    ai_filter_id TEXT NOT NULL,
    ai_filter_name TEXT NOT NULL,
    time_removed TEXT NOT NULL,
    PRIMARY KEY (alias, position)
  ) STRICT;
`;

const JOBS = `(
  id TEXT PRIMARY KEY,
  family TEXT NOT NULL,
  cost INTEGER NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  queued_ms INTEGER NOT NULL,
  running_ms INTEGER NOT NULL,
  failure TEXT,
  finished_at INTEGER,
  file TEXT UNIQUE,
  result BLOB
) STRICT`;

/** Thrown if the file cannot be opened; the message says what to do. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
}

/** Files up to this size are checked at every start. */
const MAX_CHECKED_BYTES = 128 * 1024 ** 2;

/**
 * Opens the SQLite file (or memory) with the aliases, credits and credentials, and the jobs with their results unless these
 * stay in memory. A file that cannot be read is renamed, and a new one is created.
 */
export function openServiceDatabase(
  dataDir: string,
  jobsInMemory: boolean,
  onError: (error: unknown) => void,
): DatabaseSync {
  if (dataDir === ':memory:') return open(dataDir, jobsInMemory);
  const path = join(dataDir, 'generation-service.sqlite');
  try {
    makeFolder(resolve(dataDir));
    try {
      return open(path, jobsInMemory);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      const aside = `${path}-unreadable`;
      for (const part of ['', '-wal', '-shm'])
        if (isThere(path + part)) renameSync(path + part, aside + part);
      onError(
        new Error(
          `${path} cannot be read: it is now ${aside}, which may contain pictures of people, and a new one was begun`,
          { cause: error },
        ),
      );
      return open(path, jobsInMemory);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const what =
      codeOf(error) === BUSY
        ? 'another process uses it. Stop that, or give the service alone a folder of its own: npm run service -- --data DIR'
        : `${reason}. This user must be able to write to it and its folder.`;
    throw new UnusableFileError(`The embedded generation service cannot open its file ${path}: ${what}`);
  }
}

function open(path: string, jobsInMemory: boolean): DatabaseSync {
  const db = new DatabaseSync(path);
  try {
    // Locked exclusively: a second process would take the jobs of the first for interrupted ones.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    db.exec('PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY');
    db.exec('PRAGMA secure_delete = ON');
    if (path !== ':memory:' && statSync(path).size <= MAX_CHECKED_BYTES) {
      const found = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
      if (found !== 'ok') throw new UnreadableError(found);
    }
    db.exec(SCHEMA);
    const stored = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'jobs'").get()?.sql;
    // Jobs of another version are dropped. VACUUM removes what an earlier start has written from unused pages and from the log.
    if (jobsInMemory || (stored !== undefined && stored !== `CREATE TABLE jobs ${JOBS}`))
      db.exec('DROP TABLE IF EXISTS jobs; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
    db.exec(`CREATE ${jobsInMemory ? 'TEMP TABLE' : 'TABLE IF NOT EXISTS'} jobs ${JOBS}`);
    db.exec('CREATE INDEX IF NOT EXISTS jobs_by_finish ON jobs (finished_at)');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

class UnreadableError extends Error {}

const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;

const isUnreadable = (error: unknown): boolean =>
  error instanceof UnreadableError || [CORRUPT, NOT_A_DATABASE].includes(codeOf(error));

/** Runs `work` in a transaction. `work` must be synchronous: nothing else may run on this connection meanwhile. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk may have ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
