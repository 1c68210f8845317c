import type { Query } from '../tables/driver.ts';
import { type ReadStore, readTables } from '../tables/read.ts';
import { addressOf } from './database/address.ts';
import { openDatabase } from './database/database.ts';
import { driverOf } from './database/driver.ts';
import { requireUpToDate, schemaVersion } from './database/migrate.ts';
import { startError } from './database/postgres-error.ts';
import { countMembers, isRequestedIn } from './members/lock-keys.ts';

/** Opens a store for the owner's tools without changing it, also while Darkroom runs on it. */
export async function openStoreToRead(url: string, keys: readonly Uint8Array[]): Promise<ReadStore> {
  const address = addressOf(url);
  const database = openDatabase(address);
  const close = database.close;
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
  audit: { recent: async () => [], async *since() {} },
};

export const isRequested = (url: string): Promise<boolean> => asked(url, isRequestedIn);

export const isInUse = (url: string): Promise<boolean> =>
  asked(url, async (query) => (await countMembers(query)) > 0);

async function asked<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const database = openDatabase(addressOf(url));
  try {
    return await work(database.query);
  } finally {
    await database.close();
  }
}
