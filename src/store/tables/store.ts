import { Records } from '../../base/keyv/records.ts';
import type { Members, SharedPace } from '../../base/members/members.ts';
import type { Log } from '../../log/log.ts';
import { createRemovalTime, type MachineTime } from '../records/removal-time.ts';
import { createSeal, type Seal } from '../records/seal.ts';
import { StoreError } from '../records/store-error.ts';
import { type AuditTable, createAuditTable } from './audit.ts';
import { repairCounters } from './counters.ts';
import { createDamagedRecords, type DamagedRecord } from './damaged.ts';
import type { Base, Query, ReadBase } from './driver.ts';
import { EntryStorage, type RecordRules } from './entries.ts';
import { createErasures } from './erasures.ts';
import { createFigureRecords } from './figures.ts';
import { createGrants } from './grants.ts';
import { createInbox } from './inbox.ts';
import { createJobRows } from './job-rows.ts';
import { createCommunityList, createJobSearch } from './job-search.ts';
import { createJobRecords } from './jobs.ts';
import * as meta from './meta.ts';
import type { Migration } from './schema.ts';
import { sweepTables } from './sweep.ts';
import { createTallies } from './tallies.ts';
import { createUsage } from './usage.ts';

/** The options that both databases are opened with. */
export interface StoreOptions {
  /** 32 bytes each. The first encrypts, all decrypt; none: nothing is encrypted. */
  readonly keys: readonly Uint8Array[];
  readonly now?: () => number;
  /** Guards against removing records too early when the clock is wrong; default: `now` is right. */
  readonly machine?: MachineTime;
  readonly migrated?: (migration: Migration) => void;
  /** Called when a record cannot be read and is set aside or skipped. */
  readonly damaged?: (record: DamagedRecord) => void;
}

/** The options of `openStore` in `src/store/store.ts`. */
export interface OpenOptions extends StoreOptions {
  /** `sqlite:PATH` or `postgres://…`. */
  readonly url: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** The version of this program, for other processes on the same store to see. */
  readonly version: string;
  /** Called when a restore has replaced the store under this process, which must end then. A store in a file never calls it. */
  readonly replaced?: () => void;
}

/** A store for work, and the processes that share it. */
export interface OpenedStore {
  readonly store: Store;
  readonly members: Members;
  /** The pace of calls to a service that the processes keep together; absent: there is only one process. */
  readonly sharedPace?: (service: string) => SharedPace;
  close(): Promise<void>;
}

/** A store opened by the owner's tools, also while Darkroom runs on it. */
export interface ReadStore {
  readonly encrypts: boolean;
  /** It has no tables yet. */
  readonly isNew?: true;
  /** When the last backup was begun, in ms; undefined: none is known. */
  lastBackup(): Promise<number | undefined>;
  readonly audit: Pick<AuditTable, 'recent' | 'since'>;
  close(): void | Promise<void>;
}

/** The tables of a store that is only read. */
export async function readTables(
  driver: ReadBase['driver'],
  keys: readonly Uint8Array[],
): Promise<Omit<ReadStore, 'close'>> {
  await meta.refuseHalfMoved(driver.query);
  // A plain store stays readable with STORE_KEY set: it is encrypted at the next start.
  const seal = createSeal((await meta.isEncrypted(driver.query)) ? keys : []);
  const blind = await meta.blindOf(driver.query, seal);
  // The running Darkroom reports damaged lines.
  const audit = createAuditTable({ driver, seal, blind }, { skip: () => undefined });
  return { encrypts: seal.encrypts, lastBackup: () => meta.readBackupTime(driver.query), audit };
}

/** The encryption with these keys; throws if one has another length. */
export function sealOf(keys: readonly Uint8Array[]): Seal {
  if (keys.some((key) => key.length !== 32)) throw new StoreError('STORE_KEY must be 32 bytes in base64.');
  return createSeal(keys);
}

const REMOVAL_TIME = 'removal-time';

/** All tables of a store over the driver of its database. */
export async function openTables(
  given: Omit<Base, 'now'>,
  { now = Date.now, damaged = () => undefined, machine = { wall: now, passed: now } }: StoreOptions,
  /** Asked in the transaction that would sweep: only one process does. */
  maySweep: (query: Query) => Promise<boolean>,
) {
  const base: Base = { ...given, now };
  const { driver, seal } = base;
  await repairCounters(base, damaged);
  const damagedRecords = createDamagedRecords(base, damaged);
  await damagedRecords.recount();
  const usage = createUsage(base);
  const grants = createGrants(base, usage);
  const tallies = createTallies(base);
  const audit = createAuditTable(base, damagedRecords);
  const rows = createJobRows(base, usage, damagedRecords);
  const kept = await meta.readMeta(driver.query, REMOVAL_TIME);
  const removalTime = createRemovalTime(kept && Buffer.from(kept), machine);
  const reseal = meta.createReseal(seal, driver.sql, (query) => meta.noteKeysSettled(query, seal));
  return {
    jobs: createJobRecords({ ...base, rows, usage, grants, tallies, audit }),
    jobSearch: createJobSearch(base, rows),
    communityList: createCommunityList(base, rows),
    usage,
    grants,
    tallies,
    figures: createFigureRecords(base),
    audit,
    erasures: createErasures(base, rows, usage, damagedRecords),
    inbox: createInbox(base),
    /** Settings, preferences and caches, one namespace each. */
    keyv: (namespace: string, rules: RecordRules = {}) =>
      new Records(new EntryStorage(base, damagedRecords, namespace, rules), now),
    encrypts: seal.encrypts,
    /** When the last backup was begun, in ms; undefined: none is known. */
    lastBackup: () => meta.readBackupTime(driver.query),
    damaged: damagedRecords.count,
    /** Removes expired records and re-encrypts those of an older key, one batch each; returns whether more is left. */
    async sweep(): Promise<boolean> {
      const swept = await driver.transaction(async (query) => {
        if (!(await maySweep(query))) return { left: false, committed: () => undefined };
        const time = removalTime.read();
        await meta.writeMeta(query, REMOVAL_TIME, time.stored);
        const resealed = await reseal(query);
        return { ...resealed, left: (await sweepTables(query, driver.sql, time.at)) || resealed.left };
      });
      swept.committed();
      await damagedRecords.recount();
      return swept.left;
    },
  };
}

/** A store for work, whatever its database: the tables, and how the database itself is doing. */
export type Store = Awaited<ReturnType<typeof openTables>> & {
  /** Whether the connection to it was lost; what failed may have taken effect or not. */
  isConnectionLoss(error: unknown): boolean;
  /** Throws when the store cannot be reached; writes nothing, so it is cheap. */
  tryToReach(): Promise<void>;
  /** Writes a test value; throws when the store is not writable. */
  tryToWrite(): Promise<void>;
  /** Why it cannot be written to, and what to do, in sentences that anybody may read: no secret, no address. */
  trouble(error: unknown): string;
  /** Checks the file for damage in a worker thread. Rejects when it is damaged; then nothing more is written. */
  verify(): Promise<void>;
  close(): void | Promise<void>;
};
