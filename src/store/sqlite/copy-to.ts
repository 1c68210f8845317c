import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { MOVING } from '../records/tables.ts';
import { type CopyTarget, isEmpty, targetOf } from '../tables/copy.ts';
import { writeMeta } from '../tables/meta.ts';
import { lockFile, sqliteSource } from './copy-from.ts';
import { dialect, readDriverOf } from './driver.ts';
import { openDatabase, requireCurrent } from './file/database.ts';
import { realFile } from './file/real-file.ts';
import { fileError } from './file/sqlite-error.ts';

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
  const sql = new DatabaseSync(file, { readOnly: true });
  try {
    requireCurrent(sql);
  } finally {
    sql.close();
  }
}
