import { Keyv } from 'keyv';
import type { KeyValue } from '../../base/key-value.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import type { JobRecords } from '../../orchestrator/job/records.ts';
import { MINUTE_MS } from '../records/jobs/acceptance.ts';
import type { Migration } from '../records/migration.ts';
import { createRemovalTime, type MachineTime } from '../records/removal-time.ts';
import {
  AUDIT_KEPT_MS,
  EVENTS_KEPT_MS,
  GRANTS_KEPT_MS,
  RECORDS_KEPT_MS,
  RESEAL_BATCH,
  SWEEP_BATCH,
} from '../records/retention.ts';
import { createSeal, type Seal } from '../records/seal/seal.ts';
import type { DamagedRecord, RecordRules, Store } from '../records/store.ts';
import { StoreDamagedError, StoreError, StoreRequestedError } from '../records/store-error.ts';
import { hourOf } from '../records/tallies.ts';
import { findDamage } from './file/damage.ts';
import { type Database, openDatabase } from './file/database.ts';
import { realFile } from './file/real-file.ts';
import { fileError, fileTrouble } from './file/sqlite-error.ts';
import { acquireLock, isRequested, lockOf, watchForRequest } from './file/store-lock.ts';
import { createAccept } from './records/accept.ts';
import { createAudit } from './records/audit.ts';
import { createDamagedRecords } from './records/damaged-records.ts';
import { createErasureRecords } from './records/erase-step.ts';
import { createErasures } from './records/erasures.ts';
import { createFigures } from './records/figures.ts';
import { createGrants } from './records/grants.ts';
import { createJobs, type JobTable } from './records/jobs.ts';
import { createKeyvSqlite } from './records/keyv-sqlite.ts';
import { createTallies } from './records/tallies.ts';
import { createUsage, type Usage } from './records/usage.ts';
import { createKeyHistory } from './seal/key-history.ts';
import { createReseal } from './seal/reseal.ts';
import { unlock } from './seal/unlock.ts';

/** What only SQLite's store has: for tests, which write records as they like. */
export interface SqliteStore extends Store {
  readonly jobs: JobRecords & JobTable;
  readonly usage: Usage;
  keyv<Value>(
    namespace: string,
    rules?: RecordRules,
  ): Keyv<Value> & Pick<KeyValue, 'update'> & { bytes(): Promise<number> };
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
    const seal = createSeal(keys);
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

function assemble(
  database: Database,
  seal: Seal,
  blind: (id: string) => string,
  now: () => number,
  damaged: (record: DamagedRecord) => void,
  machine: MachineTime,
): Omit<SqliteStore, 'verify' | 'close'> {
  const erasures = createErasures(database, now);
  const damagedRecords = createDamagedRecords(database, now, damaged);
  const usage = createUsage(database, blind, damagedRecords);
  const grants = createGrants(database, seal, blind, usage);
  const tallies = createTallies(database, blind);
  const figures = createFigures(database, seal);
  const jobs = createJobs({ database, seal, blind, usage, tallies, erasures, damagedRecords, now });
  const audit = createAudit(database, seal, blind, erasures, damagedRecords);
  const accept = createAccept({ database, blind, jobs, usage, grants, tallies, audit });
  const expired = database.sql.prepare(
    `DELETE FROM entries WHERE (namespace, key) IN
      (SELECT namespace, key FROM entries WHERE expires IS NOT NULL AND expires <= ? LIMIT ?)`,
  );
  const forgotten = database.sql.prepare(
    'DELETE FROM removed WHERE origin IN (SELECT origin FROM removed WHERE at < ? LIMIT ?)',
  );
  // Read whole: it has the jobs of about a minute.
  const past = database.sql.prepare(
    `DELETE FROM acceptances WHERE (person, at, random_id) IN
      (SELECT person, at, random_id FROM acceptances WHERE at < ? LIMIT ?)`,
  );
  const keptTime = database.sql.prepare("SELECT value FROM meta WHERE name = 'removal-time'").get()?.value;
  const removalTime = createRemovalTime(keptTime, machine);
  const keepTime = database.sql.prepare(
    "INSERT OR REPLACE INTO meta (name, value) VALUES ('removal-time', ?)",
  );
  const tried = database.sql.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('tried', ?)");
  const reseal = createReseal(database, seal, RESEAL_BATCH, createKeyHistory(database.sql, seal).settled);
  /** Deletes the last counters of erased people when their day is over. */
  const closeErasures = (today: string): number => {
    const over = erasures.over(today, SWEEP_BATCH);
    database.transaction(() => {
      for (const { person, direct } of over) {
        usage.eraseOf(person, direct, today, SWEEP_BATCH);
        erasures.close(person);
      }
    });
    return over.length;
  };
  return {
    jobs: { ...jobs, accept: async (order) => accept(order) },
    jobSearch: jobs.search,
    communityList: jobs.communityList,
    usage,
    grants,
    tallies,
    figures,
    audit,
    encrypts: seal.encrypts,
    shared: false,
    erasures: createErasureRecords({ database, blind, erasures, jobs, audit, usage, grants }),
    damaged: damagedRecords.count,
    keyv<Value>(namespace: string, rules: RecordRules = {}) {
      const storage = createKeyvSqlite(
        { database, seal, blind, erasures, damagedRecords, now },
        namespace,
        rules,
      );
      // Keyv would delete expired entries on read by the system clock, which may be wrong.
      const keyv = new Keyv<Value>({ store: storage, checkExpired: false });
      return Object.assign(keyv, { update: storage.update, bytes: storage.bytes });
    },
    tryToReach: async () => database.check(),
    async tryToWrite() {
      database.transaction(() => void tried.run(now()));
      database.check();
    },
    trouble: fileTrouble,
    async sweep() {
      database.check();
      // Removal is final, so it uses a time that cannot be ahead.
      const { at, stored } = removalTime.read();
      database.note(() => keepTime.run(stored));
      const isResealing = reseal();
      const done = [
        usage.expire(dayOf(at - RECORDS_KEPT_MS), SWEEP_BATCH),
        closeErasures(dayOf(at)),
        jobs.expire(at - RECORDS_KEPT_MS, SWEEP_BATCH),
        audit.expire(at - AUDIT_KEPT_MS, SWEEP_BATCH),
        Number(expired.run(at, SWEEP_BATCH).changes),
        Number(forgotten.run(at - EVENTS_KEPT_MS, SWEEP_BATCH).changes),
        Number(past.run(at - MINUTE_MS, SWEEP_BATCH).changes),
        tallies.expire(hourOf(at - RECORDS_KEPT_MS), SWEEP_BATCH),
        grants.expire(at - GRANTS_KEPT_MS, SWEEP_BATCH),
        figures.expire(at, SWEEP_BATCH),
      ];
      database.scrub();
      return isResealing || done.some((count) => count >= SWEEP_BATCH);
    },
  };
}
