import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from './migrations.ts';

export interface Database {
  readonly sql: DatabaseSync;
  /**
   * All or nothing, and on the disk when it returns. Inside another transaction it simply takes part in it. A
   * statement outside of any survives the end of the process, but a power cut may undo it: enough for what is
   * only a note and can be found out again.
   */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** Opens (or makes) the one file, readable by its owner alone, and brings it to the newest shape. */
export function openDatabase(path: string): Database {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  }
  const fresh = path !== ':memory:' && !existsSync(path);
  const sql = new DatabaseSync(path, { timeout: 5000 });
  try {
    if (fresh) chmodSync(path, 0o600);
    return prepared(sql);
  } catch (error) {
    sql.close();
    throw error;
  }
}

function prepared(sql: DatabaseSync): Database {
  sql.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    PRAGMA secure_delete = ON;
    PRAGMA foreign_keys = ON;
    PRAGMA wal_autocheckpoint = 4000;
    PRAGMA journal_size_limit = 33554432;
  `);
  const database = wrap(sql);
  migrate(database);
  return database;
}

function wrap(sql: DatabaseSync): Database {
  const begin = sql.prepare('BEGIN IMMEDIATE');
  const commit = sql.prepare('COMMIT');
  const rollback = sql.prepare('ROLLBACK');
  const full = sql.prepare('PRAGMA synchronous = FULL');
  const normal = sql.prepare('PRAGMA synchronous = NORMAL');

  return {
    sql,
    transaction(work) {
      if (sql.isTransaction) return work();
      full.run();
      begin.run();
      try {
        const result = work();
        commit.run();
        return result;
      } catch (error) {
        if (sql.isTransaction) rollback.run();
        throw error;
      } finally {
        normal.run();
      }
    },
    close() {
      if (sql.isOpen) sql.close();
    },
  };
}

function migrate({ sql, transaction }: Database): void {
  sql.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)');
  transaction(() => {
    const row = sql.prepare('SELECT coalesce(max(version), 0) AS version FROM migrations').get();
    const version = Number(row?.version ?? 0);
    if (version > migrations.length) {
      throw new Error(`The store was written by a newer version of Darkroom (its shape is ${version}).`);
    }
    const note = sql.prepare('INSERT INTO migrations (version, at) VALUES (?, ?)');
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      sql.exec(migration);
      note.run(index + 1, Date.now());
    }
  });
}
