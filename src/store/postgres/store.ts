import { type Clock, systemClock } from '../../base/clock.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import { MINUTE_MS } from '../records/jobs/acceptance.ts';
import type { Migration } from '../records/migration.ts';
import { createRemovalTime, type MachineTime, type RemovalTime } from '../records/removal-time.ts';
import {
  AUDIT_KEPT_MS,
  EVENTS_KEPT_MS,
  GRANTS_KEPT_MS,
  RECORDS_KEPT_MS,
  RESEAL_BATCH,
  SWEEP_BATCH,
} from '../records/retention.ts';
import { createSeal, type Seal } from '../records/seal/seal.ts';
import type { DamagedRecord, Store } from '../records/store.ts';
import { StoreError } from '../records/store-error.ts';
import { hourOf } from '../records/tallies.ts';
import type { Database, Query } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { databaseTrouble, isConnectionLoss } from './database/postgres-error.ts';
import { namedKey } from './members/lock-keys.ts';
import { createAudit, expireLines } from './records/audit.ts';
import { createDamagedRecords } from './records/damaged-records.ts';
import { createEntries } from './records/entries.ts';
import { closeErasures, createErasureRecords } from './records/erasures.ts';
import { expire } from './records/expire.ts';
import { createFigures, expireFigures } from './records/figures.ts';
import { createGrants } from './records/grants.ts';
import { createInbox } from './records/inbox.ts';
import { createJobs } from './records/jobs.ts';
import { createListCommunities } from './records/list-communities.ts';
import { createJobReader } from './records/read-jobs.ts';
import { createSearch } from './records/search-jobs.ts';
import { createTallies } from './records/tallies.ts';
import { createUsage, expireUsage } from './records/usage.ts';
import { createByteSeal } from './seal/columns.ts';
import { scrubReadable } from './seal/encrypt-existing.ts';
import { readMeta, writeMeta } from './seal/meta.ts';
import { createReseal } from './seal/reseal.ts';
import { keysSettled, unlock } from './seal/unlock.ts';

export interface PostgresOptions {
  /** 32 bytes each. The first encrypts, all decrypt; none: nothing is encrypted. */
  readonly keys: readonly Uint8Array[];
  readonly now?: () => number;
  readonly after?: Clock['after'];
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
  const { now = Date.now, after = systemClock.after, damaged = () => undefined } = options;
  const { memberId, isSettled = () => true, machine = { wall: now, passed: now } } = options;
  const damagedRecords = createDamagedRecords(database, damaged);
  await damagedRecords.recount();
  const parts = { database, seal, blind, damagedRecords, now, after, memberId, isSettled };
  const reader = createJobReader(parts);
  const removalTime = createRemovalTime(await readMeta(database.query, REMOVAL_TIME), machine);
  const sweepOnce = createSweep(seal, removalTime);
  return {
    jobs: createJobs(parts, reader),
    jobSearch: createSearch(database.query, reader, blind),
    communityList: createListCommunities(parts, reader),
    usage: createUsage(database, blind),
    grants: createGrants(parts),
    tallies: createTallies(database, blind),
    figures: createFigures(database, seal),
    audit: createAudit(database, seal, blind, damagedRecords),
    erasures: createErasureRecords({ ...parts, recount: damagedRecords.recount }),
    inbox: createInbox(parts),
    encrypts: seal.encrypts,
    shared: true,
    damaged: damagedRecords.count,
    keyv: (namespace, rules = {}) => createEntries(parts, namespace, rules),
    isConnectionLoss,
    tryToReach: async () => void (await database.query('SELECT 1', [])),
    tryToWrite: () =>
      database.transaction(async (query) => {
        for (const text of NEEDS_SPACE) await query(text, []);
        await writeMeta(query, 'tried', String(now()));
      }),
    trouble: databaseTrouble,
    async sweep() {
      const swept = await database.transaction(sweepOnce);
      swept.committed();
      await damagedRecords.recount();
      return swept.left;
    },
    // The server checks its own files.
    verify: async () => undefined,
    close: () => database.close(),
  };
}

/** One process at a time: whoever finds another one at it leaves it to that one. */
function createSweep(seal: Seal, removalTime: RemovalTime) {
  const reseal = createReseal(seal, RESEAL_BATCH, (query) => keysSettled(query, seal));
  return async (query: Query) => {
    const [lock] = await query(SWEEPING, []);
    if (lock?.mine !== true) return { left: false, committed: () => undefined };
    // Removal is final, so it uses a time that cannot be ahead.
    const { at, stored } = removalTime.read();
    await writeMeta(query, REMOVAL_TIME, stored);
    const resealed = await reseal(query);
    const remove = (table: string, key: string, where: string, before: number): Promise<number> =>
      expire(query, SWEEP_BATCH, table, key, where, Math.floor(before));
    const done = [
      // Before all that would keep others waiting: this one waits for them.
      await closeErasures(query, dayOf(at), SWEEP_BATCH),
      await expireUsage(query, dayOf(at - RECORDS_KEPT_MS), SWEEP_BATCH),
      await remove('jobs', 'seq', 'finished_at < $2 ORDER BY finished_at', at - RECORDS_KEPT_MS),
      await expireLines(query, at - AUDIT_KEPT_MS, SWEEP_BATCH),
      await remove('entries', 'namespace, key', 'expires IS NOT NULL AND expires <= $2', at),
      await remove('removed', 'origin', 'at < $2', at - EVENTS_KEPT_MS),
      await remove('inbox', 'id', 'body IS NULL AND at < $2', at - EVENTS_KEPT_MS),
      await remove('acceptances', 'seq', 'at < $2', at - MINUTE_MS),
      await remove('tallies', 'community, what, hour, name', 'hour < $2', hourOf(at - RECORDS_KEPT_MS)),
      await remove('grants', 'community, person', 'credits = 0 AND at < $2', at - GRANTS_KEPT_MS),
      await expireFigures(query, at, SWEEP_BATCH),
    ];
    const left = resealed.left || done.some((count) => count >= SWEEP_BATCH);
    return { left, committed: resealed.committed };
  };
}
