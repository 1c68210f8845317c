import { randomUUID } from 'node:crypto';
import type { Seal } from '../records/seal/seal.ts';
import { StoreDamagedError, StoreError, StoreRequestedError } from '../records/store-error.ts';
import type { RecordRules } from '../tables/entry-body.ts';
import { writeMeta } from '../tables/meta.ts';
import type { Store } from '../tables/store.ts';
import { openTables, type StoreOptions, sealOf } from '../tables/store.ts';
import { scrubReadable, unlock } from '../tables/unlock.ts';
import { assignOwners } from './assign-owners.ts';
import { driverOf } from './driver.ts';
import { findDamage } from './file/damage.ts';
import { type Database, openDatabase } from './file/database.ts';
import { realFile } from './file/real-file.ts';
import { fileError, fileTrouble } from './file/sqlite-error.ts';
import { acquireLock, isRequested, lockOf, watchForRequest } from './file/store-lock.ts';

export interface SqliteStore extends Store {
  close(): void;
}

export interface SqliteOptions extends StoreOptions {
  /** A file, created if missing, or `:memory:`. */
  readonly path: string;
  /** Locks it against other processes; `openStoreToRead` stays possible. */
  readonly alone?: boolean;
  /** Called when a restore asks for the store, which must be closed then; again and again until it is. */
  readonly requested?: () => void;
}

const inUse =
  'Another Darkroom is running on this store (STORE_URL). Stop it first, or give this one a store of its own.';

/** One SQLite file for everything that is stored. */
export async function openStore(options: SqliteOptions): Promise<SqliteStore> {
  const { path, alone = false } = options;
  const seal = sealOf(options.keys);
  const opened = new DisposableStack();
  try {
    const file = realFile(path);
    const lock = lockOf(file);
    if (alone && file !== ':memory:') {
      const release = acquireLock(lock);
      if (release !== undefined) opened.defer(release);
      // Asked after locking: a restore asks before it locks.
      if (isRequested(file)) throw new StoreRequestedError();
      if (release === undefined) throw new StoreError(inUse);
      if (options.requested !== undefined) opened.defer(watchForRequest(file, options.requested));
    }
    const database = openDatabase(file, alone ? [lock] : []);
    opened.defer(() => database.close());
    if (database.migration !== undefined) options.migrated?.(database.migration);
    const store = await assemble(database, seal, options);
    const all = opened.move();
    return { ...store, verify: () => verified(database, file), close: () => all.dispose() };
  } catch (error) {
    opened.dispose();
    throw fileError(error, path, 'opened');
  }
}

/** Writing to a damaged file could make it worse. */
async function verified(database: Database, file: string): Promise<void> {
  const damage = file === ':memory:' ? undefined : await findDamage(file);
  if (damage === undefined) return;
  const error = new StoreDamagedError(
    `The store ${file} is damaged (STORE_URL): ${damage}. Restore a backup (npm run restore), or stop Darkroom and save what can be read with: sqlite3 ${file} .recover`,
  );
  database.refuse(error);
  throw error;
}

/** Who has jobs that have not ended, or some in hand. */
const MEMBERS = `SELECT member FROM jobs INDEXED BY jobs_taken_up WHERE finished_at IS NULL
  UNION SELECT member FROM jobs INDEXED BY jobs_held WHERE held IS NOT NULL`;

async function assemble(
  database: Database,
  seal: Seal,
  options: SqliteOptions,
): Promise<Omit<SqliteStore, 'verify' | 'close'>> {
  const { now = Date.now } = options;
  const driver = driverOf(database);
  const { query } = driver;
  const blind = await driver.transaction((on) => unlock(on, seal));
  await scrubReadable(query, () => database.sql.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)'));
  const own = randomUUID();
  const tables = await openTables({
    driver,
    seal,
    blind,
    options,
    memberId: () => own,
    deadMembers: async () => (await query(MEMBERS, [])).map(({ member }) => String(member)),
    maySweep: async () => true,
  });
  return {
    ...tables,
    shared: false,
    keyv(namespace: string, rules: RecordRules = {}) {
      assignOwners(database, namespace, rules, seal, blind);
      return tables.keyv(namespace, rules);
    },
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
  };
}
