import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createCheckpoints } from './checkpoints.ts';
import { migrations } from './migrations.ts';
import { createPresence } from './presence.ts';
import { fileTrouble, troubleOf } from './sqlite-error.ts';
import { StoreDamagedError } from './store-error.ts';
import { createWriteAheadLog } from './write-ahead-log.ts';

export interface Database {
  readonly sql: DatabaseSync;
  /** All or nothing, and it survives the end of the process. Inside another transaction it takes part in it. */
  transaction<T>(work: () => T): T;
  /** Resolves when every transaction so far would survive a power cut, too. */
  onDisk(): Promise<void>;
  /** A single statement that a power cut may undo: enough for what is only a note and can be found out again. */
  note<T>(statement: () => T): T;
  /** Something was removed at a person's wish: it must not stay readable in the log beside the file for long. */
  removed(): void;
  /** Empties the log, in another thread, if something was removed. */
  scrub(): void;
  /** Throws when nothing may be promised: the file was removed or replaced, or the disk could not be reached. */
  check(): void;
  /** From now on nothing is written, for this reason. */
  refuse(reason: Error): void;
  close(): void;
}

/** A log that long is copied into the file inside of a commit: only when the thread for it has failed. */
const LONGEST_LOG_PAGES = 16_000;

/**
 * Opens (or makes) the one file, readable by its owner alone, and brings it to the newest shape. `path`: see `realFile`;
 * `beside`: files that must stay where they are as well.
 */
export function openDatabase(path: string, beside: readonly string[] = []): Database {
  if (path !== ':memory:') prepareFile(path);
  const sql = new DatabaseSync(path, { timeout: 5000 });
  try {
    if (isAnothers(sql)) throw new Error('it is a database of another program.');
    return prepared(sql, path, beside);
  } catch (error) {
    sql.close();
    throw error;
  }
}

function prepareFile(path: string): void {
  // Made by SQLite it would be readable to others for a moment, and after a kill in that moment for good.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const file = statSync(path);
  // A folder has several links, too.
  if (!file.isFile()) throw new Error('it is a folder or a device, not a file.');
  if (file.nlink > 1) {
    throw new Error(
      'the file has a second name (a hard link); used under both it would be damaged. Remove one of the names, or make it a copy.',
    );
  }
}

/** Nothing is changed in it before that is known. */
export function isAnothers(sql: DatabaseSync): boolean {
  const tables = tablesOf(sql);
  return tables.length > 0 && !tables.includes('migrations');
}

const tablesOf = (sql: DatabaseSync): string[] =>
  sql
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));

function prepared(sql: DatabaseSync, path: string, beside: readonly string[]): Database {
  // Where there can be no log (some network disks), every commit waits for the disk itself.
  const mode = sql.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode;
  sql.exec(`
    PRAGMA synchronous = ${mode === 'wal' ? 'NORMAL' : 'FULL'};
    PRAGMA secure_delete = ON;
    PRAGMA foreign_keys = ON;
    PRAGMA cell_size_check = ON;
    PRAGMA wal_autocheckpoint = ${LONGEST_LOG_PAGES};
    PRAGMA journal_size_limit = 33554432;
  `);
  const files = mode === 'wal' ? [path, `${path}-wal`, `${path}-shm`] : path === ':memory:' ? [] : [path];
  const database = wrap(sql, mode === 'wal' ? path : undefined, [...files, ...beside]);
  migrate(database);
  return database;
}

/** `path`: of a file with a write-ahead log. Others are on the disk, or in memory, with every commit. */
function wrap(sql: DatabaseSync, path: string | undefined, files: readonly string[]): Database {
  const begin = sql.prepare('BEGIN IMMEDIATE');
  const commit = sql.prepare('COMMIT');
  const rollback = sql.prepare('ROLLBACK');
  let refused: Error | undefined;
  /** From the first write on SQLite's own files are there, and stay until it is closed. */
  let isThere: (() => void) | undefined;
  const present = (): void => {
    if (refused !== undefined) throw refused;
    isThere?.();
  };
  const rewrite = (): void => {
    const { busy } = sql.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
    if (busy !== 0) throw new Error('The log could not be copied into the file after the disk had failed.');
  };
  const log = path === undefined ? undefined : createWriteAheadLog(`${path}-wal`, { present, rewrite });
  const checkpoints = path === undefined ? undefined : createCheckpoints(path);
  const changes = sql.prepare('SELECT total_changes() AS count');
  let counted = 0;
  const write = <T>(work: () => T): T => {
    present();
    try {
      const result = work();
      isThere ??= createPresence(files);
      const count = Number(changes.get()?.count ?? 0);
      checkpoints?.wrote(count - counted);
      counted = count;
      return result;
    } catch (error) {
      const trouble = troubleOf(error);
      // A quota that is used up, or a limit on the size of files, is told as a failing disk.
      if (trouble === 'full' || trouble === 'disk') checkpoints?.stuck();
      // Written to, a damaged file would only become worse.
      if (trouble === 'damaged')
        refused ??= new StoreDamagedError(`The store ${files[0]}: ${fileTrouble(error)}`);
      throw error;
    }
  };

  return {
    sql,
    transaction(work) {
      if (sql.isTransaction) return work();
      return write(() => {
        begin.run();
        try {
          const result = work();
          commit.run();
          log?.promised();
          return result;
        } catch (error) {
          if (sql.isTransaction) rollback.run();
          throw error;
        }
      });
    },
    onDisk: async () => log?.onDisk(),
    note: write,
    removed: () => checkpoints?.removed(),
    scrub: () => checkpoints?.scrub(),
    check() {
      present();
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

/** How many migrations it has been through. */
export const shapeOf = (sql: DatabaseSync): number =>
  tablesOf(sql).includes('migrations')
    ? Number(sql.prepare('SELECT max(version) AS version FROM migrations').get()?.version ?? 0)
    : 0;

function migrate({ sql, transaction }: Database): void {
  sql.exec('CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, at INTEGER NOT NULL)');
  transaction(() => {
    const version = shapeOf(sql);
    if (version > migrations.length) {
      throw new Error(`it was written by a newer version of Darkroom (schema ${version}).`);
    }
    const note = sql.prepare('INSERT INTO migrations (version, at) VALUES (?, ?)');
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      sql.exec(migration);
      note.run(index + 1, Date.now());
    }
  });
}
