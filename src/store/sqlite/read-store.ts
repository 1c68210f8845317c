import { DatabaseSync } from 'node:sqlite';
import { createByteSeal } from '../records/seal/columns.ts';
import { createSeal } from '../records/seal/seal.ts';
import type { ReadStore } from '../tables/read.ts';
import { createReadTables } from '../tables/read.ts';
import { blindOf, isEncrypted, refuseHalfMoved } from '../tables/unlock.ts';
import { readDriverOf } from './driver.ts';
import { requireCurrent, requireFile, requireThere, schemaVersion } from './file/database.ts';
import { fileError } from './file/sqlite-error.ts';

/** How long to wait while another process writes. */
const busyTimeoutMs = 5_000;

/**
 * Opens a store without changing it: nothing is created, migrated or re-encrypted. Changing the key of a store in use would
 * lock the running Darkroom out.
 */
export async function openStoreToRead(path: string, keys: readonly Uint8Array[]): Promise<ReadStore> {
  requireThere(path);
  let sql: DatabaseSync | undefined;
  try {
    requireFile(path);
    sql = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
    const store = await read(sql, keys);
    return { ...store, close: () => sql?.close() };
  } catch (error) {
    sql?.close();
    throw fileError(error, path, 'read');
  }
}

async function read(sql: DatabaseSync, keys: readonly Uint8Array[]): Promise<Omit<ReadStore, 'close'>> {
  requireCurrent(sql);
  const driver = readDriverOf(sql);
  const { query } = driver;
  await refuseHalfMoved(query);
  // A plain store stays readable with STORE_KEY set: it is encrypted at the next start.
  const seal = createByteSeal(createSeal((await isEncrypted(query)) ? keys : []));
  return createReadTables({ driver, seal, blind: await blindOf(query, seal) }, schemaVersion(sql));
}
