import { isAway } from './postgres/database/postgres-error.ts';
import type { Migration } from './records/migration.ts';
import { StoreError } from './records/store-error.ts';
import { createSoleMember } from './sole-member.ts';
import type { ReadStore } from './tables/read.ts';
import type { OpenedStore, OpenOptions } from './tables/store.ts';

const SQLITE = 'sqlite:';

/** The file of a store; undefined: it is a database. */
export const fileOf = (url: string): string | undefined =>
  url.startsWith(SQLITE) ? url.slice(SQLITE.length) : undefined;

/** Opens the store for work; throws a `StoreRequestedError` while a restore asks for it. The other implementation is not even loaded. */
export async function openStore({ url, ...options }: OpenOptions): Promise<OpenedStore> {
  const path = fileOf(url);
  const migrated = ({ from, to, ms }: Migration): void =>
    options.log.info(
      { from, to, ms },
      `brought the store up to date: from schema ${from} to ${to}, in ${ms} ms`,
    );
  if (path !== undefined) {
    const sqlite = await import('./sqlite/store.ts');
    const store = await sqlite.openStore({ ...options, path, alone: true, migrated });
    return { store, members: createSoleMember(), close: async () => store.close() };
  }
  const { openShared } = await import('./postgres/store.ts');
  return openShared({ ...options, url, migrated });
}

/** What examines the store without working on it, and where it is. */
async function looking(url: string) {
  const path = fileOf(url);
  return path === undefined
    ? { ...(await import('./postgres/read-store.ts')), place: url }
    : { ...(await import('./sqlite/read-store.ts')), place: path };
}

/** Whether a restore asks for the store, or replaces it. */
export async function isRequested(url: string): Promise<boolean> {
  const look = await looking(url);
  return look.isRequested(look.place);
}

/** Whether a Darkroom runs on the store. */
export async function isInUse(url: string): Promise<boolean> {
  const look = await looking(url);
  return look.isInUse(look.place);
}

/** Whether this is why the store could not be opened. */
export function isDatabaseAway(error: unknown): boolean {
  return isAway(error instanceof StoreError ? error.cause : error);
}

/** Opens a store without changing it: nothing is created, migrated or re-encrypted. */
export async function openStoreToRead(url: string, keys: readonly Uint8Array[]): Promise<ReadStore> {
  const look = await looking(url);
  return look.openStoreToRead(look.place, keys);
}
