import { storable } from '../records/seal.ts';
import { StoreError, StoreReplacedError } from '../records/store-error.ts';
import type { Query } from '../tables/driver.ts';
import { openIdHash, scrubReadable, writeMeta } from '../tables/meta.ts';
import { type Migration, TABLES } from '../tables/schema.ts';
import {
  type OpenedStore,
  type OpenOptions,
  openTables,
  type ReadStore,
  readTables,
  type Store,
  type StoreOptions,
  sealOf,
} from '../tables/store.ts';
import { databaseAddressOf } from './database/address.ts';
import { type Database, driverOf, openDatabase } from './database/database.ts';
import { refuseSharedSessions } from './database/pooler.ts';
import { databaseTrouble, isConnectionLoss, startError } from './database/postgres-error.ts';
import { migrate, requireUpToDate, schemaVersion } from './database/schema.ts';
import * as locks from './members/lock-keys.ts';
import { joinMembers, type PostgresMembers } from './members/members.ts';
import { createSharedPace } from './members/pace.ts';

interface PostgresOptions extends StoreOptions {
  /** The member id of this process; another one after it was taken for dead. */
  readonly memberId: () => string;
  /** Whether every process that lives has joined again since this one did; default: yes. */
  readonly isSettled?: () => boolean;
}

/** Needs space on the disk: a small change fits into files that are there, and this makes a temporary one of about 280 KB. */
const NEEDS_SPACE = [
  "SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)",
  'SELECT count(*) FROM generate_series(1, 20000)',
];
const SWEEPING = `SELECT pg_try_advisory_xact_lock(${locks.namedKey("'sweep'")}) AS mine`;

/** Brings the submissions `$1`, which this process claimed under a former id, under its present one. */
const KEEP_SUBMISSIONS = `WITH found AS MATERIALIZED (
    SELECT seq FROM jobs WHERE id = ANY ($1) AND held = 'submission' AND member IN
      (SELECT former.id::text FROM members AS former JOIN members AS own USING (process) WHERE own.id::text = $2 AND former.id <> own.id)
    ORDER BY seq FOR UPDATE
  )
  UPDATE jobs AS j SET member = $2 FROM found WHERE j.seq = found.seq`;

/** Opens the tables of a database, and brings them up to date. `openShared` also joins its processes. */
export async function openPostgresStore(database: Database, options: PostgresOptions): Promise<Store> {
  const { memberId, isSettled = () => true, now = Date.now } = options;
  const { query } = database;
  const seal = sealOf(options.keys);
  let migration: Migration | undefined;
  const blind = await database.transaction(async (on) => {
    migration = await migrate(on, database.schema);
    return openIdHash(on, seal, refuseWhileInUse);
  });
  if (migration !== undefined) options.migrated?.(migration);
  // The server's log and its backups have the plain text until they are gone.
  await scrubReadable(query, async () => {
    for (const { name } of TABLES) await database.outside(`VACUUM FULL ${name}`);
  });
  const deadMembers = locks.createDeadMembers(query, memberId, isSettled);
  const base = { driver: driverOf(database), seal, blind, memberId, deadMembers };
  // One process sweeps at a time: a second one leaves it to the first.
  const tables = await openTables(base, options, async (on) => (await on(SWEEPING, []))[0]?.mine === true);
  return {
    ...tables,
    jobs: {
      ...tables.jobs,
      async keepSubmissions(ids) {
        if (ids.length > 0) await query(KEEP_SUBMISSIONS, [ids.map(storable), memberId()]);
      },
    },
    isConnectionLoss,
    tryToReach: async () => void (await query('SELECT 1', [])),
    tryToWrite: () =>
      database.transaction(async (on) => {
        for (const text of NEEDS_SPACE) await on(text, []);
        await writeMeta(on, 'tried', String(now()));
      }),
    trouble: databaseTrouble,
    // The server checks its own files.
    verify: async () => undefined,
    close: () => database.close(),
  };
}

/** Opens a store in PostgreSQL for work, and joins the processes that share it. */
export async function openShared(shared: OpenOptions): Promise<Required<OpenedStore>> {
  const { url, log, version, replaced = () => undefined, ...options } = shared;
  const address = databaseAddressOf(url);
  let restored: string | null | undefined;
  /** A process that froze, and wakes after a restore, gets no connection: its memory is not written over what was restored. */
  const admit = async (query: Query): Promise<void> => {
    if (restored === undefined) return void (await query(`SELECT ${locks.TAKE_WORK_LOCK}`));
    // A restore that locks the table afterwards finds the lock, and one that did so before is waited for.
    const [row] = await query(`SELECT ${locks.TAKE_WORK_LOCK}, ${locks.RESTORE_ID} AS restored`);
    if (row?.restored !== restored) throw new StoreReplacedError();
  };
  const database = openDatabase(address, admit);
  let members: PostgresMembers | undefined;
  try {
    await refuseSharedSessions(address);
    // Before anything else is read: a process that joins asks whether it is still so.
    restored = await locks.restoredBy(database.query);
    // Jobs are written only after this process has joined.
    const store = await openPostgresStore(database, {
      ...options,
      memberId: () => members?.id() ?? '',
      isSettled: () => members?.isSettled() === true,
    });
    const passed = options.machine?.passed;
    const joined = await joinMembers({ ...address, version, log, replaced, restored, passed });
    members = joined;
    // Their connections go the same way: half-open ones would be waited for.
    joined.watch({ lost: database.disconnect });
    return {
      store,
      members,
      sharedPace: (service) => createSharedPace(database.query, service),
      async close() {
        await joined.close();
        await store.close();
      },
    };
  } catch (error) {
    await database.close();
    throw startError(error, address.shown, 'opened');
  }
}

/** Throws while other processes run: they would take records that their keys do not open for damaged. */
async function refuseWhileInUse(query: Query): Promise<void> {
  if ((await locks.countMembers(query)) > 0)
    throw new StoreError(
      'STORE_KEY has changed, and other processes still run on this store. Stop all of them, then start them with the same STORE_KEY.',
    );
}

/** Opens a store for the owner's tools without changing it, also while Darkroom runs on it. */
export async function openStoreToRead(url: string, keys: readonly Uint8Array[]): Promise<ReadStore> {
  const address = databaseAddressOf(url);
  const database = openDatabase(address);
  const { close } = database;
  try {
    const version = await schemaVersion(database.query);
    if (version === 0) return { ...EMPTY, close };
    requireUpToDate(version);
    return { ...(await readTables(driverOf(database), keys)), close };
  } catch (error) {
    await close();
    throw startError(error, address.shown, 'read');
  }
}

const EMPTY: Omit<ReadStore, 'close'> = {
  encrypts: false,
  isNew: true,
  lastBackup: async () => undefined,
  audit: { recent: async () => [], async *since() {} },
};

/** Whether processes work on the database. */
export async function isInUse(url: string): Promise<boolean> {
  await using database = openDatabase(databaseAddressOf(url));
  return (await locks.countMembers(database.query)) > 0;
}
