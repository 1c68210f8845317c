import { existsSync, statSync } from 'node:fs';
import { type CopySource, type CopyTarget, isEmpty, sourceOf, targetOf } from '../tables/copy.ts';
import type { Query } from '../tables/driver.ts';
import { refuseHalfMoved, writeMeta } from '../tables/meta.ts';
import { MOVING } from '../tables/schema.ts';
import { dialect, readDriverOf } from './driver.ts';
import { openDatabase } from './file/database.ts';
import { fileError } from './file/sqlite-error.ts';
import { lockFile, openToRead, realFile, requireCurrent } from './file/store-file.ts';

/** Reads a file that no Darkroom uses. Nothing in it changes. */
export async function copyFrom<T>(path: string, work: (source: CopySource) => Promise<T>): Promise<T> {
  try {
    using opened = new DisposableStack();
    const sql = opened.use(openToRead(path));
    opened.defer(lockFile(realFile(path)));
    sql.exec('BEGIN');
    requireCurrent(sql);
    const { query } = readDriverOf(sql);
    await refuseHalfMoved(query);
    return await work(sqliteSource(query, `sqlite:${path}`));
  } catch (error) {
    throw fileError(error, path, 'read');
  }
}

const sqliteSource = (query: Query, shown: string): CopySource =>
  sourceOf(query, shown, (error) => fileError(error, shown, 'read'));

/** Fills a file in one transaction. From before it until its end the file is marked, so that no Darkroom starts on it. */
export async function copyTo<T>(path: string, work: (target: CopyTarget) => Promise<T>): Promise<T> {
  try {
    using opened = new DisposableStack();
    if (path === ':memory:') throw new Error('it is not a file.');
    const file = realFile(path);
    opened.defer(lockFile(file));
    if (existsSync(file) && statSync(file).size > 0) {
      // Opening it for writing would migrate it.
      using current = openToRead(file);
      requireCurrent(current);
    }
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
  }
}
