import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { Seal } from '../records/seal.ts';
import { StoreDamagedError, StoreError } from '../records/store-error.ts';
import { createEntryBodies, ENTRY_COLUMNS, type RecordRules } from '../tables/entries.ts';
import { openIdHash, scrubReadable, writeMeta } from '../tables/meta.ts';
import {
  openTables,
  type ReadStore,
  readTables,
  type Store,
  type StoreOptions,
  sealOf,
} from '../tables/store.ts';
import { driverOf, readDriverOf } from './driver.ts';
import { readBackupTime } from './file/backup-time.ts';
import { type Database, openDatabase } from './file/database.ts';
import { fileError, fileTrouble } from './file/sqlite-error.ts';
import * as files from './file/store-file.ts';

export interface SqliteStore extends Store {
  close(): void;
}

interface SqliteOptions extends StoreOptions {
  /** A file, created if missing, or `:memory:`. */
  readonly path: string;
  /** Locks it against other processes; `openStoreToRead` stays possible. */
  readonly alone?: boolean;
}

const inUse =
  'Another Darkroom is running on this store (STORE_URL), or a tool such as npm run restore works on it. Stop it first, or give this one a store of its own.';

/** Opens a store in a file for work, and brings it up to date. */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const { path, alone = false } = options;
  const seal = sealOf(options.keys);
  try {
    using opened = new DisposableStack();
    const file = files.realFile(path);
    const locked = files.lockOf(file);
    if (alone && file !== ':memory:') {
      const release = files.acquireLock(locked);
      if (release === undefined) throw new StoreError(inUse);
      opened.defer(release);
    }
    const database = openDatabase(file, alone ? [locked] : []);
    opened.defer(() => database.close());
    if (database.migration !== undefined) options.migrated?.(database.migration);
    const { now = Date.now } = options;
    const driver = driverOf(database, now);
    const { query } = driver;
    const blind = await driver.transaction((on) => openIdHash(on, seal));
    await scrubReadable(query, () => database.sql.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'));
    const own = randomUUID();
    const deadMembers = async () => (await query(MEMBERS, [own])).map(({ member }) => String(member));
    const base = { driver, seal, blind, memberId: () => own, deadMembers };
    const tables = await openTables(base, options, async () => true);
    const all = opened.move();
    return {
      ...tables,
      keyv(namespace: string, rules: RecordRules = {}) {
        assignOwners(database, namespace, rules, seal, blind);
        return tables.keyv(namespace, rules);
      },
      lastBackup: async () => readBackupTime(file),
      isConnectionLoss: () => false,
      tryToReach: async () => database.check(),
      async tryToWrite() {
        await writeMeta(query, 'tried', String(now()));
        database.check();
      },
      trouble: fileTrouble,
      async sweep() {
        database.check();
        const isLeft = await tables.sweep();
        database.scrub();
        return isLeft;
      },
      verify: () => verified(database, file),
      close: () => all.dispose(),
    };
  } catch (error) {
    throw fileError(error, path, 'opened');
  }
}

/** Checks the file, and refuses writes to a damaged one, which could make it worse. */
async function verified(database: Database, file: string): Promise<void> {
  const damage = file === ':memory:' ? undefined : await findDamage(file);
  if (damage === undefined) return;
  const error = new StoreDamagedError(
    `The store ${file} is damaged (STORE_URL): ${damage}. Restore a backup (npm run restore), or stop Darkroom and save what can be read with: sqlite3 ${file} .recover`,
  );
  database.refuse(error);
  throw error;
}

/** Checking this much takes a second or two from the page cache, and far longer from the disk. */
const MAX_BYTES = 1024 ** 3;

/** Runs SQLite's quick_check in a worker thread and returns its finding in one line. Undefined: no damage, or the file is too large. */
export async function findDamage(path: string, largest = MAX_BYTES): Promise<string | undefined> {
  if (statSync(path).size > largest) return undefined;
  const worker = new Worker(new URL('./file/damage.worker.ts', import.meta.url), { workerData: path });
  return new Promise((resolve, reject) => {
    worker.once('message', (found: unknown) => resolve(typeof found === 'string' ? found : undefined));
    worker.once('error', reject);
    worker.once('exit', () => resolve(undefined));
  });
}

/** Members that have jobs that have not ended, or have claimed some, but for `$1`: jobs may come before the start is over. */
const MEMBERS = `SELECT member FROM jobs INDEXED BY jobs_taken_up WHERE finished_at IS NULL AND member <> $1
  UNION SELECT member FROM jobs INDEXED BY jobs_held WHERE held IS NOT NULL AND member <> $1`;

/** Adds the owner to records of version 0.1.0, which had no such column, once: after that they have a number. */
function assignOwners(
  { sql }: Database,
  namespace: string,
  rules: RecordRules,
  seal: Seal,
  blind: (id: string) => string,
): void {
  if (rules.ownerOf === undefined) return;
  const bodies = createEntryBodies(namespace, rules, { seal, blind });
  const left = sql.prepare(
    `SELECT ${ENTRY_COLUMNS} FROM entries INDEXED BY entries_unowned WHERE namespace = ? AND owner IS NULL AND seq = 0`,
  );
  const assign = sql.prepare('UPDATE entries SET owner = ?, seq = 1 WHERE namespace = ? AND key = ?');
  for (const row of left.all(namespace)) {
    let owner: string | undefined;
    try {
      owner = bodies.ownerOf(...bodies.open(row));
    } catch {
      // The next read sets it aside.
    }
    assign.run(owner ?? null, namespace, String(row.key));
  }
}

/** Opens a file for the owner's tools without changing it: a changed key would lock the running Darkroom out. */
export async function openStoreToRead(path: string, keys: readonly Uint8Array[]): Promise<ReadStore> {
  let sql: DatabaseSync | undefined;
  try {
    sql = files.openToRead(path);
    files.requireCurrent(sql);
    return {
      ...(await readTables(readDriverOf(sql), keys)),
      lastBackup: async () => readBackupTime(path),
      close: () => sql?.close(),
    };
  } catch (error) {
    sql?.close();
    throw fileError(error, path, 'read');
  }
}

/** Whether a process works on the file. */
export const isInUse = (path: string): boolean => existsSync(path) && files.isFileInUse(files.realFile(path));
