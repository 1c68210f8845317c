import { existsSync, statSync } from 'node:fs';
import { StoreError } from '../records/store-error.ts';
import { MOVING } from '../records/tables.ts';
import { type CopySource, type CopyTarget, isEmpty, sourceOf, targetOf } from '../tables/copy.ts';
import type { Query } from '../tables/driver.ts';
import { writeMeta } from '../tables/meta.ts';
import { refuseHalfMoved } from '../tables/unlock.ts';
import { dialect, readDriverOf } from './driver.ts';
import { openDatabase } from './file/database.ts';
import { realFile } from './file/real-file.ts';
import { fileError } from './file/sqlite-error.ts';
import { openToRead, requireCurrent } from './file/store-file.ts';
import { acquireLock, lockOf } from './file/store-lock.ts';

/** Reads a file that no Darkroom uses. Nothing in it changes. */
export async function copyFromSqlite<T>(path: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  const shown = `sqlite:${path}`;
  const opened = new DisposableStack();
  try {
    const sql = openToRead(path);
    opened.defer(() => sql.close());
    opened.defer(lockFile(realFile(path)));
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

function lockFile(file: string): () => void {
  const release = acquireLock(lockOf(file));
  if (release !== undefined) return release;
  throw new StoreError(`Another process works on the store ${file}. Stop it first.`);
}

/** In a transaction. */
const sqliteSource = (query: Query, shown: string): CopySource =>
  sourceOf(query, shown, (error) => fileError(error, shown, 'read'));

/**
 * Fills a file in one transaction, which is undone when `work` fails. From before it until its end the file is marked, so
 * that no Darkroom starts on it.
 */
export async function copyToSqlite<T>(path: string, work: (target: CopyTarget) => Promise<T>): Promise<T> {
  const opened = new DisposableStack();
  try {
    if (path === ':memory:') throw new Error('it is not a file.');
    const file = realFile(path);
    opened.defer(lockFile(file));
    if (existsSync(file) && statSync(file).size > 0) requireCurrentFile(file);
    const { sql, close } = openDatabase(file);
    opened.defer(close);
    const { query } = readDriverOf(sql);
    if (await isEmpty(query)) await writeMeta(query, MOVING, 'yes');
    sql.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
    const result = await work(await targetOf(query, dialect, sqliteSource(query, `sqlite:${path}`)));
    sql.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    return result;
  } catch (error) {
    throw fileError(error, path, 'written');
  } finally {
    // Without a commit nothing of the transaction stays.
    opened.dispose();
  }
}

/** Opening it for writing would migrate it. */
function requireCurrentFile(file: string): void {
  const sql = openToRead(file);
  try {
    requireCurrent(sql);
  } finally {
    sql.close();
  }
}
