import { existsSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Members, SharedPace } from '../base/members/members.ts';
import { createSoleMember } from '../base/members/sole-member.ts';
import type { Log } from '../log/log.ts';
import { isAway } from './postgres/database/postgres-error.ts';
import type { Migration } from './records/migration.ts';
import type { MachineTime } from './records/removal-time.ts';
import { StoreError } from './records/store-error.ts';
import { realFile } from './sqlite/file/real-file.ts';
import type { DamagedRecord } from './tables/damaged.ts';
import type { ReadStore } from './tables/read.ts';
import type { Store } from './tables/store.ts';

export interface OpenOptions {
  /** `sqlite:PATH` or `postgres://…`. */
  readonly url: string;
  /** 32 bytes each. The first encrypts, all decrypt; none: nothing is encrypted. */
  readonly keys: readonly Uint8Array[];
  readonly now: () => number;
  readonly after?: Clock['after'];
  readonly machine: MachineTime;
  readonly damaged: (record: DamagedRecord) => void;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Of this program, for other processes on the same store to see. */
  readonly version: string;
  /** What this process has to do, for the others to see. */
  readonly load: () => Readonly<Record<string, number>>;
  /** Called when a restore asks for the store, which must be closed then; again and again until it is. */
  readonly requested?: () => void;
}

export interface OpenedStore {
  readonly store: Store;
  /** The processes on it. */
  readonly members: Members;
  /** The pace of calls to a service that they keep together; absent: there is only one. */
  readonly sharedPace?: (service: string) => SharedPace;
  close(): Promise<void>;
}

const SQLITE = 'sqlite:';

/** The file of a store; undefined: it is a database. */
export const fileOf = (url: string): string | undefined =>
  url.startsWith(SQLITE) ? url.slice(SQLITE.length) : undefined;

/** Opens the store for work; throws a `StoreRequestedError` while a restore asks for it. The other implementation is not even loaded. */
export async function openStore({ url, log, version, load, ...options }: OpenOptions): Promise<OpenedStore> {
  const path = fileOf(url);
  const migrated = ({ from, to, ms }: Migration): void =>
    log.info({ from, to, ms }, `brought the store up to date: from schema ${from} to ${to}, in ${ms} ms`);
  if (path !== undefined) {
    const sqlite = await import('./sqlite/store.ts');
    const store = await sqlite.openStore({ ...options, path, alone: true, migrated });
    return { store, members: createSoleMember(), close: async () => store.close() };
  }
  const { openShared } = await import('./postgres/open-shared.ts');
  return openShared({ ...options, url, log, version, load, migrated });
}

/** Whether a restore asks for the store, or replaces it. */
export async function isRequested(url: string): Promise<boolean> {
  const path = fileOf(url);
  if (path !== undefined) {
    const lock = await import('./sqlite/file/store-lock.ts');
    return lock.isRequested(realFile(path));
  }
  const postgres = await import('./postgres/restore-request.ts');
  return postgres.isRequested(url);
}

/** Whether a Darkroom runs on the store. */
export async function isInUse(url: string): Promise<boolean> {
  const path = fileOf(url);
  if (path !== undefined) {
    const lock = await import('./sqlite/file/store-lock.ts');
    return existsSync(path) && lock.isInUse(realFile(path));
  }
  const postgres = await import('./postgres/restore-request.ts');
  return postgres.isInUse(url);
}

/** Whether this is why the store could not be opened. */
export function isDatabaseAway(error: unknown): boolean {
  return isAway(error instanceof StoreError ? error.cause : error);
}

/** Opens a store without changing it: nothing is created, migrated or re-encrypted. */
export async function openStoreToRead(url: string, keys: readonly Uint8Array[]): Promise<ReadStore> {
  const path = fileOf(url);
  if (path !== undefined) {
    const sqlite = await import('./sqlite/read-store.ts');
    return sqlite.openStoreToRead(path, keys);
  }
  const { openPostgresToRead } = await import('./postgres/read-store.ts');
  return openPostgresToRead(url, keys);
}
