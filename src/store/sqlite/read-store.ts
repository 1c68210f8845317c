import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { type ReadStore, readTables } from '../tables/read.ts';
import { readDriverOf } from './driver.ts';
import { realFile } from './file/real-file.ts';
import { fileError } from './file/sqlite-error.ts';
import { openToRead, requireCurrent } from './file/store-file.ts';
import * as lock from './file/store-lock.ts';

/**
 * Opens a store without changing it: nothing is created, migrated or re-encrypted. Changing the key of a store in use would
 * lock the running Darkroom out.
 */
export async function openStoreToRead(path: string, keys: readonly Uint8Array[]): Promise<ReadStore> {
  let sql: DatabaseSync | undefined;
  try {
    sql = openToRead(path);
    requireCurrent(sql);
    return { ...(await readTables(readDriverOf(sql), keys)), close: () => sql?.close() };
  } catch (error) {
    sql?.close();
    throw fileError(error, path, 'read');
  }
}

export const isRequested = (path: string): boolean => lock.isRequested(realFile(path));

export const isInUse = (path: string): boolean => existsSync(path) && lock.isInUse(realFile(path));
