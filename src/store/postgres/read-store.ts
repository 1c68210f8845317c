import { createByteSeal } from '../records/seal/columns.ts';
import { createSeal } from '../records/seal/seal.ts';
import type { ReadStore } from '../records/store.ts';
import type { Survey } from '../records/survey.ts';
import { createAudit } from '../tables/audit.ts';
import { createFigures } from '../tables/figures.ts';
import { addressOf } from './database/address.ts';
import { type Database, openDatabase } from './database/database.ts';
import { driverOf } from './database/driver.ts';
import { requireUpToDate, schemaVersion } from './database/migrate.ts';
import { startError } from './database/postgres-error.ts';
import { blindOf, isEncrypted, refuseHalfMoved } from './seal/unlock.ts';
import { surveyOf, troublesOf } from './survey.ts';

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

async function read(database: Database, keys: readonly Uint8Array[]) {
  const { query } = database;
  const driver = driverOf(database);
  const version = await schemaVersion(query);
  if (version === 0)
    return {
      encrypts: false,
      audit: noLines,
      figures: { read: async () => [] },
      survey: async () => NOTHING,
      troubles: async () => [],
    };
  requireUpToDate(version);
  await refuseHalfMoved(query);
  // A plain store stays readable with STORE_KEY set: it is encrypted at the next start.
  const encrypts = await isEncrypted(query);
  const seal = createByteSeal(createSeal(encrypts ? keys : []));
  // The running Darkroom reports damaged lines.
  const ignoreDamage = { skip: () => undefined };
  const blind = await blindOf(query, seal);
  return {
    encrypts,
    audit: createAudit({ driver, seal, blind, damagedRecords: ignoreDamage }),
    figures: createFigures(driver, seal),
    survey: () => surveyOf(query, version),
    troubles: () => troublesOf(query, seal, blind),
  };
}

const NOTHING: Survey = { version: 0, bytes: 0, tables: {}, jobs: {} };
const noLines: ReadStore['audit'] = { recent: async () => [], async *since() {} };
