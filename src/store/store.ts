import { Keyv } from 'keyv';
import { dayOf } from '../orchestrator/job/day.ts';
import type { ErasureRecords, JobRecords, UsageRecords } from '../orchestrator/job/records.ts';
import { findDamage } from './file/damage.ts';
import { type Database, openDatabase } from './file/database.ts';
import { realFile } from './file/real-file.ts';
import { takeAlone } from './file/sole-use.ts';
import { fileTrouble } from './file/sqlite-error.ts';
import { StoreDamagedError, StoreError } from './file/store-error.ts';
import { type Audit, createAudit } from './records/audit.ts';
import { createDamage, type DamagedRecord } from './records/damaged-records.ts';
import { createErasureRecords } from './records/erase-step.ts';
import { createErasures } from './records/erasures.ts';
import { createJobs } from './records/jobs.ts';
import { createKeyvSqlite, type RecordRules } from './records/keyv-sqlite.ts';
import { createRemovalTime, type MachineTime } from './records/removal-time.ts';
import { createUsage } from './records/usage.ts';
import { createKeyHistory } from './seal/key-history.ts';
import { createReseal } from './seal/reseal.ts';
import { createSeal, type Seal } from './seal/seal.ts';
import { unlock } from './seal/unlock.ts';

export interface Store {
  readonly jobs: JobRecords;
  readonly usage: UsageRecords;
  readonly audit: Audit;
  readonly erasures: ErasureRecords;
  readonly encrypts: boolean;
  /** How many records were found that cannot be read. */
  damaged(): number;
  /** Settings, preferences and caches: a Keyv of its own for each namespace, on the same file. */
  keyv<Value>(namespace: string, rules?: RecordRules): Keyv<Value>;
  /** Writes something of no meaning, to see whether that can be done; throws when it cannot. */
  tryToWrite(): void;
  /** Removes what has expired and seals anew what an older key sealed, a small batch at a time; says whether more is left. */
  sweep(): boolean;
  /** Looks for damage in the file, in another thread. Rejects when there is some; from then on nothing is written. */
  verify(): Promise<void>;
  close(): void;
}

export interface StoreOptions {
  /** A file, made if it is not there, or `:memory:`. */
  readonly path: string;
  /** 32 bytes each. The first encrypts, all decrypt; none: nothing is encrypted. */
  readonly keys: readonly Uint8Array[];
  readonly now?: () => number;
  /** By which nothing is removed too early; left out, `now` is right. */
  readonly machine?: MachineTime;
  /** Nobody else may work with it meanwhile. Reading (`openStoreToRead`) is no work. */
  readonly alone?: boolean;
  /** A record could not be read: it was set aside, or is passed over, and all others go on. */
  readonly damaged?: (record: DamagedRecord) => void;
}

const DAY_MS = 86_400_000;
const RECORDS_KEPT_MS = 30 * DAY_MS;
const AUDIT_KEPT_MS = 90 * DAY_MS;
/** Telegram delivers an update again for a day at the most. */
const EVENTS_KEPT_MS = 2 * DAY_MS;
const SWEEP_BATCH = 200;
/** Sealing is dearer than removing. */
const RESEAL_BATCH = 50;
const IN_USE =
  'Another Darkroom is running on this store (STORE_URL). Stop it first, or give this one a store of its own.';

/** One SQLite file for everything that outlives the process. */
export function openStore(options: StoreOptions): Store {
  const { path, keys, now = Date.now, alone = false, damaged = () => undefined } = options;
  const { machine = { wall: now, passed: now } } = options;
  if (keys.some((key) => key.length !== 32)) throw new StoreError('STORE_KEY must be 32 bytes in base64.');
  const opened = new DisposableStack();
  try {
    const file = realFile(path);
    const lock = `${file}-lock`;
    const giveUp = alone && file !== ':memory:' ? takeAlone(lock) : () => undefined;
    if (giveUp === undefined) throw new StoreError(IN_USE);
    opened.defer(giveUp);
    const database = openDatabase(file, alone ? [lock] : []);
    opened.defer(() => database.close());
    const seal = createSeal(keys);
    const store = assemble(database, seal, unlock(database, seal), now, damaged, machine);
    const all = opened.move();
    return { ...store, verify: () => verified(database, file), close: () => all.dispose() };
  } catch (error) {
    opened.dispose();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`The store ${path} cannot be opened (STORE_URL): ${fileTrouble(error)}`, {
      cause: error,
    });
  }
}

/** Written to, a damaged file would only become worse. */
async function verified(database: Database, file: string): Promise<void> {
  const damage = file === ':memory:' ? undefined : await findDamage(file);
  if (damage === undefined) return;
  const error = new StoreDamagedError(
    `The store ${file} is damaged (STORE_URL): ${damage}. Restore a backup, or stop Darkroom and save what can be read with: sqlite3 ${file} .recover`,
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
): Omit<Store, 'verify' | 'close'> {
  const erasures = createErasures(database, now);
  const damage = createDamage(database, now, damaged);
  const usage = createUsage(database, blind, damage);
  const jobs = createJobs({ database, seal, blind, usage, erasures, damage, now });
  const audit = createAudit(database, seal, blind, erasures, damage);
  const expired = database.sql.prepare(
    `DELETE FROM entries WHERE (namespace, key) IN
      (SELECT namespace, key FROM entries WHERE expires IS NOT NULL AND expires <= ? LIMIT ?)`,
  );
  const forgotten = database.sql.prepare(
    'DELETE FROM removed WHERE origin IN (SELECT origin FROM removed WHERE at < ? LIMIT ?)',
  );
  const removalTime = createRemovalTime(database, machine);
  const tried = database.sql.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('tried', ?)");
  const reseal = createReseal(database, seal, RESEAL_BATCH, createKeyHistory(database.sql, seal).settled);
  /** The counters of the day on which somebody was erased go when it is over. */
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
    jobs,
    usage,
    audit,
    encrypts: seal.encrypts,
    erasures: createErasureRecords({ database, blind, erasures, jobs, audit, usage }),
    damaged: damage.count,
    keyv<Value>(namespace: string, rules: RecordRules = {}) {
      const storage = createKeyvSqlite({ database, seal, blind, erasures, damage, now }, namespace, rules);
      // Keyv would delete what the machine's clock says has expired whenever it is read, also while that clock is wrong.
      return new Keyv<Value>({ store: storage, checkExpired: false });
    },
    tryToWrite() {
      database.transaction(() => void tried.run(now()));
      database.check();
    },
    sweep() {
      database.check();
      // Reads go by `now`; what is removed is gone for good, and goes by a time that cannot be ahead.
      const at = removalTime();
      const isResealing = reseal();
      const done = [
        usage.expire(dayOf(at - RECORDS_KEPT_MS), SWEEP_BATCH),
        closeErasures(dayOf(at)),
        jobs.expire(at - RECORDS_KEPT_MS, SWEEP_BATCH),
        audit.expire(at - AUDIT_KEPT_MS, SWEEP_BATCH),
        Number(expired.run(at, SWEEP_BATCH).changes),
        Number(forgotten.run(at - EVENTS_KEPT_MS, SWEEP_BATCH).changes),
      ];
      database.scrub();
      return isResealing || done.some((count) => count >= SWEEP_BATCH);
    },
  };
}
