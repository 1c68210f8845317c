import { randomUUID } from 'node:crypto';
import type { Migration } from '../records/migration.ts';
import { createRemovalTime, type MachineTime } from '../records/removal-time.ts';
import { createByteSeal } from '../records/seal/columns.ts';
import { createSeal, type Seal } from '../records/seal/seal.ts';
import { SEALED_COLUMNS } from '../records/seal/sealed-columns.ts';
import type { DamagedRecord, RecordRules, Store } from '../records/store.ts';
import { StoreDamagedError, StoreError, StoreRequestedError } from '../records/store-error.ts';
import { writeMeta } from '../tables/meta.ts';
import { createReseal } from '../tables/reseal.ts';
import { createTables, sweepTables } from '../tables/store.ts';
import { driverOf } from './driver.ts';
import { findDamage } from './file/damage.ts';
import { type Database, openDatabase, textIn } from './file/database.ts';
import { realFile } from './file/real-file.ts';
import { fileError, fileTrouble } from './file/sqlite-error.ts';
import { acquireLock, isRequested, lockOf, watchForRequest } from './file/store-lock.ts';
import { assignOwners } from './seal/assign-owners.ts';
import { unlock } from './seal/unlock.ts';

export interface SqliteStore extends Store {
  close(): void;
}

export interface StoreOptions {
  /** A file, created if missing, or `:memory:`. */
  readonly path: string;
  /** 32 bytes each. The first encrypts, all decrypt; none: nothing is encrypted. */
  readonly keys: readonly Uint8Array[];
  readonly now?: () => number;
  /** Guards against removing records too early when the clock is wrong; default: `now` is right. */
  readonly machine?: MachineTime;
  /** Locks it against other processes; `openStoreToRead` stays possible. */
  readonly alone?: boolean;
  /** Called when a restore asks for the store, which must be closed then; again and again until it is. */
  readonly requested?: () => void;
  /** Called when it was of an older version. */
  readonly migrated?: (migration: Migration) => void;
  /** Called when a record cannot be read and is set aside or skipped. */
  readonly damaged?: (record: DamagedRecord) => void;
}

const inUse =
  'Another Darkroom is running on this store (STORE_URL). Stop it first, or give this one a store of its own.';

/** One SQLite file for everything that is stored. */
export function openStore(options: StoreOptions): SqliteStore {
  const { path, keys, now = Date.now, alone = false, damaged = () => undefined } = options;
  const { machine = { wall: now, passed: now } } = options;
  if (keys.some((key) => key.length !== 32)) throw new StoreError('STORE_KEY must be 32 bytes in base64.');
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
    const seal = createByteSeal(createSeal(keys));
    const store = assemble(database, seal, unlock(database, seal), now, damaged, machine);
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

function assemble(
  database: Database,
  seal: Seal,
  blind: (id: string) => string,
  now: () => number,
  damaged: (record: DamagedRecord) => void,
  machine: MachineTime,
): Omit<SqliteStore, 'verify' | 'close'> {
  const { sql } = database;
  const driver = driverOf(database);
  const { query } = driver;
  const own = randomUUID();
  const deadMembers = async (): Promise<readonly string[]> =>
    (await query(MEMBERS, [])).map(({ member }) => String(member));
  const setAside = Number(sql.prepare('SELECT count(*) AS n FROM damaged').get()?.n);
  const memberId = (): string => own;
  const { recount, ...tables } = createTables({
    driver,
    seal,
    blind,
    now,
    damaged,
    setAside,
    memberId,
    deadMembers,
  });
  const keptTime = sql.prepare("SELECT value FROM meta WHERE name = 'removal-time'").get()?.value;
  const removalTime = createRemovalTime(textIn(keptTime), machine);
  const reseal = createReseal(seal, driver.sql, SEALED_COLUMNS, (on) =>
    writeMeta(on, 'keys', seal.keyIds[0] ?? ''),
  );
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
      const swept = await driver.transaction(async (on) => {
        const time = removalTime.read();
        await writeMeta(on, 'removal-time', time.stored);
        const resealed = await reseal(on);
        return { ...resealed, left: (await sweepTables(on, driver, time)) || resealed.left };
      });
      swept.committed();
      await recount();
      database.scrub();
      return swept.left;
    },
  };
}
