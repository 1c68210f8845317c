import { randomInt, randomUUID } from 'node:crypto';
import { DAY_MS } from '../base/clock.ts';
import type { Members } from '../base/members/members.ts';
import type { CopySource, CopyTarget } from './tables/copy.ts';
import type { Migration } from './tables/schema.ts';
import type { OpenedStore, OpenOptions, ReadStore } from './tables/store.ts';

const SQLITE = 'sqlite:';

/** The file of a store; undefined: it is a database. */
export const fileOf = (url: string): string | undefined =>
  url.startsWith(SQLITE) ? url.slice(SQLITE.length) : undefined;

/** Opens the store for work. The other implementation is not even loaded. */
export async function openStore({ url, ...options }: OpenOptions): Promise<OpenedStore> {
  const path = fileOf(url);
  const migrated = ({ from, to, ms }: Migration): void =>
    options.log.info(
      { from, to, ms },
      `brought the store up to date: from schema ${from} to ${to}, in ${ms} ms`,
    );
  if (path !== undefined) {
    const sqlite = await import('./sqlite/store.ts');
    const store = await sqlite.openSqliteStore({ ...options, path, alone: true, migrated });
    return { store, members: createSoleMember(), close: async () => store.close() };
  }
  const { openShared } = await import('./postgres/store.ts');
  return openShared({ ...options, url, migrated });
}

/** The functions that examine a store without working on it. They take a file, or the URL of a database. */
const readersOf = (url: string) =>
  fileOf(url) === undefined ? import('./postgres/store.ts') : import('./sqlite/store.ts');
const placeOf = (url: string): string => fileOf(url) ?? url;

/** Whether a process works on the store. */
export const isInUse = async (url: string) => (await readersOf(url)).isInUse(placeOf(url));

/** Opens a store without changing it: nothing is created, migrated or re-encrypted. */
export const openStoreToRead = async (url: string, keys: readonly Uint8Array[]): Promise<ReadStore> =>
  (await readersOf(url)).openStoreToRead(placeOf(url), keys);

const copying = (url: string) =>
  fileOf(url) === undefined ? import('./postgres/copy.ts') : import('./sqlite/copy.ts');

/** Reads all of a store that no Darkroom works on. */
export const copyFrom = async <T>(url: string, work: (source: CopySource) => Promise<T>): Promise<T> =>
  (await copying(url)).copyFrom(placeOf(url), work);
/** Fills a store that no Darkroom works on, or nothing of it. */
export const copyTo = async <T>(url: string, work: (target: CopyTarget) => Promise<T>): Promise<T> =>
  (await copying(url)).copyTo(placeOf(url), work);

/** Notes when a backup of a store was begun. */
export async function noteBackup(url: string, at: string): Promise<void> {
  const path = fileOf(url);
  if (path === undefined) await (await import('./postgres/copy.ts')).noteBackup(url, at);
  else (await import('./sqlite/file/backup-time.ts')).noteBackup(path, at);
}

/** A backup that is older than this is not one that an owner can rely on. */
const BACKUP_LATE_MS = 7 * DAY_MS;

/** Whether it is time for a backup. `at`: when the last one was made; undefined: none is known. */
export const isBackupLate = (at: number | undefined, now: number): boolean =>
  at === undefined || now - at > BACKUP_LATE_MS;

const thisProcess = randomUUID();

/** The only process on its store: it has every lock at once, and never loses one. */
export function createSoleMember(): Members {
  // A new id for each start: jobs that an earlier process claimed are not claimed by this one.
  const id = String(randomInt(1, 2 ** 31));
  return {
    id: () => id,
    process: thisProcess,
    isShared: false,
    isAlive: () => true,
    count: () => 1,
    list: async () => [],
    async hold(_name, work, until) {
      if (!until.aborted) await work(until);
    },
    async keep(_name, work, until) {
      if (!until.aborted) await work(until, () => true);
    },
    renew: async () => undefined,
    watch: () => () => undefined,
    reportLoad: () => undefined,
  };
}
