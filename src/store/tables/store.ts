import { DAY_MS, MINUTE_MS } from '../../base/clock.ts';
import { Records } from '../../base/keyv/records.ts';
import type { Members, SharedPace } from '../../base/members/members.ts';
import type { Log } from '../../log/log.ts';
import { dayOf } from '../../orchestrator/job/day.ts';
import { createRemovalTime, type MachineTime } from '../records/removal-time.ts';
import { createSeal, type Seal } from '../records/seal.ts';
import { StoreError } from '../records/store-error.ts';
import { type AuditTable, createAuditTable } from './audit.ts';
import { repairCounters } from './counters.ts';
import { createDamagedRecords, type DamagedRecord } from './damaged.ts';
import type { Base, Dialect, Query, ReadBase } from './driver.ts';
import { EntryStorage, type RecordRules } from './entries.ts';
import { closeErasures, createErasures } from './erasures.ts';
import { createFigureRecords, FIGURES_KEPT_MS, SCALES } from './figures.ts';
import { createGrants } from './grants.ts';
import { createInbox } from './inbox.ts';
import { createJobRows } from './job-rows.ts';
import { createCommunityList, createJobSearch } from './job-search.ts';
import { createJobRecords } from './jobs.ts';
import * as meta from './meta.ts';
import { type Migration, removeRows } from './schema.ts';
import { createTallies, hourOf } from './tallies.ts';
import { createUsage } from './usage.ts';

const RECORDS_KEPT_MS = 30 * DAY_MS;
const AUDIT_KEPT_MS = 90 * DAY_MS;
/** Longer than charges, which a job's credits return by. */
const GRANTS_KEPT_MS = 32 * DAY_MS;
/** Telegram repeats an update for at most a day. */
const EVENTS_KEPT_MS = 2 * DAY_MS;
const SWEEP_BATCH = 200;

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

export interface OpenOptions extends StoreOptions {
  /** `sqlite:PATH` or `postgres://…`. */
  readonly url: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** The version of this program, for other processes on the same store to see. */
  readonly version: string;
  /** Called when a restore has replaced the store under this process, which must end then. A store in a file never calls it. */
  readonly replaced?: () => void;
}

export interface OpenedStore {
  readonly store: Store;
  readonly members: Members;
  /** The pace of calls to a service that they keep together; absent: there is only one. */
  readonly sharedPace?: (service: string) => SharedPace;
  close(): Promise<void>;
}

/** A store opened by the owner's tools, also while Darkroom runs on it. */
export interface ReadStore {
  readonly encrypts: boolean;
  readonly audit: Pick<AuditTable, 'recent' | 'since'>;
  close(): void | Promise<void>;
}

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
  return { encrypts: seal.encrypts, audit };
}

export function sealOf(keys: readonly Uint8Array[]): Seal {
  if (keys.some((key) => key.length !== 32)) throw new StoreError('STORE_KEY must be 32 bytes in base64.');
  return createSeal(keys);
}

const REMOVAL_TIME = 'removal-time';

export async function openTables(
  given: Omit<Base, 'now'>,
  { now = Date.now, damaged = () => undefined, machine = { wall: now, passed: now } }: StoreOptions,
  /** In the transaction that would sweep. */
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
  const reseal = meta.createReseal(seal, driver.sql, (query) => meta.keysSettled(query, seal));
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

/** Removes one batch of what has expired from each table; says whether more is left. Removal is final, so `at` cannot be ahead. */
async function sweepTables(query: Query, sql: Dialect, at: number): Promise<boolean> {
  const { clock, least, now, skipLocked } = sql;
  // It does not wait: locked rows stay for now.
  const remove = (table: string, where: string, ...values: readonly (string | number)[]) =>
    removeRows(query, table, `${where} LIMIT $1${skipLocked}`, [
      SWEEP_BATCH,
      ...values.map((value) => (typeof value === 'number' ? Math.floor(value) : value)),
    ]);
  const day = dayOf(at - RECORDS_KEPT_MS);
  // Also compared with the database's clock: its trigger refuses to delete younger lines, and ours may be ahead.
  const old = `at < ${least}(CAST($2 AS bigint), ${now} - ${AUDIT_KEPT_MS}) ORDER BY at`;
  const removed = [
    // Before all that would keep others waiting: this one waits for them.
    await closeErasures(query, sql, at, SWEEP_BATCH),
    await remove('usage', 'day < $2', day),
    await remove('charges', 'day < $2', day),
    await remove('totals', 'day < $2', day),
    await remove('jobs', 'finished_at < $2 ORDER BY finished_at', at - RECORDS_KEPT_MS),
    await remove('audit', old, at - AUDIT_KEPT_MS),
    await remove('damaged', 'at < $2', at - AUDIT_KEPT_MS),
    await remove('entries', 'expires IS NOT NULL AND expires <= $2', at),
    await remove('removed', 'at < $2', at - EVENTS_KEPT_MS),
    await remove('inbox', 'body IS NULL AND at < $2', at - EVENTS_KEPT_MS),
    // Read whole: it has the jobs of about a minute. By the clock that they are counted by, which `at` may be ahead of.
    await remove('acceptances', `at NOT BETWEEN ${clock} - ${MINUTE_MS} AND ${clock} + ${MINUTE_MS}`),
    await remove('tallies', 'hour < $2', hourOf(at - RECORDS_KEPT_MS)),
    await remove('grants', 'credits = 0 AND at < $2', at - GRANTS_KEPT_MS),
  ];
  for (const scale of SCALES)
    removed.push(await remove('figures', 'scale = $2 AND at < $3', scale, at - FIGURES_KEPT_MS[scale]));
  return removed.some((count) => count >= SWEEP_BATCH);
}
