import type { Migration } from '../records/migration.ts';
import { createRemovalTime, type MachineTime } from '../records/removal-time.ts';
import { createByteSeal, storable } from '../records/seal/columns.ts';
import { createSeal, type Seal } from '../records/seal/seal.ts';
import { SEALED_COLUMNS } from '../records/seal/sealed-columns.ts';
import type { DamagedRecord, Store } from '../records/store.ts';
import { StoreError } from '../records/store-error.ts';
import { readMeta, writeMeta } from '../tables/meta.ts';
import { createReseal } from '../tables/reseal.ts';
import { createTables, sweepTables } from '../tables/store.ts';
import type { Database } from './database/database.ts';
import { driverOf } from './database/driver.ts';
import { migrate } from './database/migrate.ts';
import { databaseTrouble, isConnectionLoss } from './database/postgres-error.ts';
import { createDeadMembers } from './members/dead-members.ts';
import { namedKey } from './members/lock-keys.ts';
import { scrubReadable } from './seal/encrypt-existing.ts';
import { keysSettled, unlock } from './seal/unlock.ts';

export interface PostgresOptions {
  /** 32 bytes each. The first encrypts, all decrypt; none: nothing is encrypted. */
  readonly keys: readonly Uint8Array[];
  readonly now?: () => number;
  /** Guards against removing records too early when the clock is wrong; default: `now` is right. */
  readonly machine?: MachineTime;
  /** Called when it was of an older version. */
  readonly migrated?: (migration: Migration) => void;
  /** Called when a record cannot be read and is set aside or skipped. */
  readonly damaged?: (record: DamagedRecord) => void;
  /** Of this process; another one after it was taken for dead. */
  readonly memberId: () => string;
  /** Whether every process that lives has joined again since this one did; default: yes. */
  readonly isSettled?: () => boolean;
}

const REMOVAL_TIME = 'removal-time';
/** A small change fits into files that are there; this makes a temporary one beside them, of about 280 KB. */
const NEEDS_SPACE = [
  "SELECT set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true)",
  'SELECT count(*) FROM generate_series(1, 20000)',
];
const SWEEPING = `SELECT pg_try_advisory_xact_lock(${namedKey("'sweep'")}) AS mine`;

/** Of submissions that this process has in hand under a former id: `$1` stay in its hand. */
const KEEP_SUBMISSIONS = `WITH found AS MATERIALIZED (
    SELECT seq FROM jobs WHERE id = ANY ($1) AND held = 'submission' AND member IN
      (SELECT former.id::text FROM members AS former JOIN members AS own USING (process) WHERE own.id::text = $2 AND former.id <> own.id)
    ORDER BY seq FOR UPDATE
  )
  UPDATE jobs AS j SET member = $2 FROM found WHERE j.seq = found.seq`;

/** One PostgreSQL schema for everything that is stored, used by any number of processes at once. */
export async function openPostgresStore(database: Database, options: PostgresOptions): Promise<Store> {
  if (options.keys.some((key) => key.length !== 32))
    throw new StoreError('STORE_KEY must be 32 bytes in base64.');
  const seal = createByteSeal(createSeal(options.keys));
  let migration: Migration | undefined;
  const blind = await database.transaction(async (query) => {
    migration = await migrate(query, database.schema);
    return unlock(query, seal);
  });
  if (migration !== undefined) options.migrated?.(migration);
  await scrubReadable(database);
  return assemble(database, seal, blind, options);
}

async function assemble(
  database: Database,
  seal: Seal,
  blind: (id: string) => string,
  options: PostgresOptions,
): Promise<Store> {
  const { now = Date.now, damaged = () => undefined } = options;
  const { memberId, isSettled = () => true, machine = { wall: now, passed: now } } = options;
  const { query } = database;
  const driver = driverOf(database);
  const deadMembers = createDeadMembers(query, memberId, isSettled);
  const { recount, ...tables } = createTables({
    driver,
    seal,
    blind,
    now,
    damaged,
    setAside: 0,
    memberId,
    deadMembers,
  });
  await recount();
  const removalTime = createRemovalTime(Buffer.from((await readMeta(query, REMOVAL_TIME)) ?? []), machine);
  const reseal = createReseal(seal, driver.sql, SEALED_COLUMNS, (on) => keysSettled(on, seal));
  return {
    ...tables,
    jobs: {
      ...tables.jobs,
      async keepSubmissions(ids) {
        if (ids.length > 0) await query(KEEP_SUBMISSIONS, [ids.map(storable), memberId()]);
      },
    },
    shared: true,
    isConnectionLoss,
    tryToReach: async () => void (await query('SELECT 1', [])),
    tryToWrite: () =>
      database.transaction(async (on) => {
        for (const text of NEEDS_SPACE) await on(text, []);
        await writeMeta(on, 'tried', String(now()));
      }),
    trouble: databaseTrouble,
    async sweep() {
      const swept = await database.transaction(async (on) => {
        // One process at a time: a second one leaves it to the first.
        const [lock] = await on(SWEEPING, []);
        if (lock?.mine !== true) return { left: false, committed: () => undefined };
        const time = removalTime.read();
        await writeMeta(on, REMOVAL_TIME, time.stored);
        const resealed = await reseal(on);
        const isLeft = await sweepTables(on, driver, time);
        return { left: resealed.left || isLeft, committed: resealed.committed };
      });
      swept.committed();
      await recount();
      return swept.left;
    },
    // The server checks its own files.
    verify: async () => undefined,
    close: () => database.close(),
  };
}
