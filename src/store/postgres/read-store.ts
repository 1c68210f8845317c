import { createByteSeal } from '../records/seal/columns.ts';
import { createSeal } from '../records/seal/seal.ts';
import type { ReadStore, Survey } from '../tables/read.ts';
import { createReadTables } from '../tables/read.ts';
import { blindOf, isEncrypted, refuseHalfMoved } from '../tables/unlock.ts';
import { addressOf } from './database/address.ts';
import { type Database, openDatabase } from './database/database.ts';
import { driverOf } from './database/driver.ts';
import { requireUpToDate, schemaVersion } from './database/migrate.ts';
import { startError } from './database/postgres-error.ts';

/** Opens a store for the owner's tools without changing it, also while Darkroom runs on it. */
export async function openPostgresToRead(url: string, keys: readonly Uint8Array[]): Promise<ReadStore> {
  const address = addressOf(url);
  const database = openDatabase(address);
  try {
    return { ...(await read(database, keys)), close: () => database.close() };
  } catch (error) {
    await database.close();
    throw startError(error, address.shown, 'read');
  }
}

async function read(database: Database, keys: readonly Uint8Array[]): Promise<Omit<ReadStore, 'close'>> {
  const { query } = database;
  const version = await schemaVersion(query);
  if (version === 0)
    return {
      encrypts: false,
      audit: noLines,
      figures: { read: async () => [] },
      survey: async () => NOTHING,
      entry: async () => undefined,
    };
  requireUpToDate(version);
  await refuseHalfMoved(query);
  // A plain store stays readable with STORE_KEY set: it is encrypted at the next start.
  const seal = createByteSeal(createSeal((await isEncrypted(query)) ? keys : []));
  return createReadTables({ driver: driverOf(database), seal, blind: await blindOf(query, seal) }, version);
}

const NOTHING: Survey = { version: 0, bytes: 0, tables: {}, jobs: {} };
const noLines: ReadStore['audit'] = { recent: async () => [], async *since() {} };
