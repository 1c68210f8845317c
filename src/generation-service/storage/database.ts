import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../base/make-folder.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS users (name TEXT PRIMARY KEY, credits INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY,
    user TEXT NOT NULL,
    family TEXT NOT NULL,
    task TEXT NOT NULL,
    words TEXT NOT NULL,
    cost INTEGER NOT NULL,
    state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    queued_ms INTEGER NOT NULL,
    running_ms INTEGER NOT NULL,
    failure TEXT,
    finished_at INTEGER,
    file TEXT UNIQUE,
    result BLOB
  ) STRICT;
  CREATE INDEX IF NOT EXISTS jobs_by_finish ON jobs (finished_at);
  CREATE TABLE IF NOT EXISTS aliases (
    id TEXT PRIMARY KEY,
    user TEXT NOT NULL,
    ai_filter TEXT NOT NULL,
    project TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    last_used TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS aliases_by_user ON aliases (user, created_at);
  CREATE TABLE IF NOT EXISTS alias_history (
    alias TEXT NOT NULL REFERENCES aliases (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    ai_filter_id TEXT NOT NULL,
    ai_filter_name TEXT NOT NULL,
    time_removed TEXT NOT NULL,
    PRIMARY KEY (alias, position)
  ) STRICT;
`;

/** The file cannot be used; the message says what to do. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError';
}

function damaged(path: string, reason: string): UnusableFileError {
  return new UnusableFileError(
    `The embedded generation service's file ${path} is damaged: ${reason}. Delete it with its -wal and -shm: the service then starts with an empty one.`,
  );
}

/** A larger file is not checked at every start. */
const MAX_CHECKED_BYTES = 128 * 1024 ** 2;

/** One SQLite file (or memory): jobs, results, aliases, credits and the ready-made credentials. */
export function openDatabase(dataDir: string): DatabaseSync {
  const path = dataDir === ':memory:' ? dataDir : join(dataDir, 'generation-service.sqlite');
  let db: DatabaseSync | undefined;
  try {
    if (dataDir !== ':memory:') makeFolder(resolve(dataDir));
    db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    db.exec('PRAGMA cell_size_check = ON');
    db.exec(SCHEMA);
    if (dataDir !== ':memory:' && statSync(path).size <= MAX_CHECKED_BYTES) {
      const found = String(db.prepare('PRAGMA quick_check(1)').get()?.quick_check);
      const reason = found
        .replace('*** in database main ***', '')
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ');
      if (found !== 'ok') throw damaged(path, reason);
    }
    return db;
  } catch (error) {
    db?.close();
    if (error instanceof UnusableFileError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (isDamage(error)) throw damaged(path, reason);
    throw new UnusableFileError(
      `The embedded generation service cannot open its file ${path}: ${reason}. This user must be able to write to it and its folder.`,
    );
  }
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && [11, 26].includes(Number(error.errcode) & 0xff);
}

/** All or nothing. `work` must be synchronous: nothing else may run on this connection meanwhile. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk may have ended it already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
