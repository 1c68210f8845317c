import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../records/store-error.ts';
import { type CopySource, sourceOf } from '../tables/copy.ts';
import type { Query } from '../tables/driver.ts';
import { refuseHalfMoved } from '../tables/unlock.ts';
import { readDriverOf } from './driver.ts';
import { requireCurrent, requireFile, requireThere } from './file/database.ts';
import { realFile } from './file/real-file.ts';
import { fileError } from './file/sqlite-error.ts';
import { acquireLock, lockOf } from './file/store-lock.ts';

const BUSY_TIMEOUT_MS = 5_000;

/** Reads a file that no Darkroom uses. Nothing in it changes. */
export async function copyFromSqlite<T>(path: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  requireThere(path);
  const shown = `sqlite:${path}`;
  const opened = new DisposableStack();
  try {
    requireFile(path);
    opened.defer(lockFile(realFile(path)));
    const sql = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    opened.defer(() => sql.close());
    // One state of the file for all that is read.
    sql.exec('BEGIN');
    requireCurrent(sql);
    const { query } = readDriverOf(sql);
    await refuseHalfMoved(query);
    return await work(sqliteSource(query, shown));
  } catch (error) {
    throw fileError(error, path, 'read');
  } finally {
    opened.dispose();
  }
}

export function lockFile(file: string): () => void {
  const release = acquireLock(lockOf(file));
  if (release !== undefined) return release;
  throw new StoreError(`Another process works on the store ${file}. Stop it first.`);
}

/** In a transaction. */
export const sqliteSource = (query: Query, shown: string): CopySource =>
  sourceOf(query, shown, (error) => fileError(error, shown, 'read'));
