import { closeSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { BACKUP } from '../../records/tables.ts';
import { refuseHalfMoved } from '../../tables/unlock.ts';
import { readDriverOf } from '../driver.ts';
import { fileError, isWriteError } from '../file/sqlite-error.ts';
import {
  BUSY_TIMEOUT_MS,
  openToRead,
  requireKnown,
  requireStore,
  schemaVersion,
} from '../file/store-file.ts';
import { type BackupNote, hasSchema, STATISTICS, strangeIn, tableSums } from './backup.ts';

/**
 * Copies a store of this or an older version, also while a Darkroom works on it, which does not wait. The copy is one state of
 * the store, without what was deleted from it. `to`: an empty file; an error of SQLite's is about it.
 */
export async function copyWhileInUse(path: string, to: string): Promise<void> {
  let sql: DatabaseSync | undefined;
  try {
    sql = openToRead(path);
    requireStore(sql, new Error('it is a backup already.'));
    await refuseHalfMoved(readDriverOf(sql).query);
    refuseStrange(sql);
    sql.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    // The store is only read.
    throw isWriteError(error) ? error : fileError(error, path, 'copied');
  } finally {
    sql?.close();
  }
}

/** A restore could not distinguish what else the owner made in the file from what was put into the backup. */
function refuseStrange(sql: DatabaseSync): void {
  const version = schemaVersion(sql);
  requireKnown(version);
  if (hasSchema(sql, version)) return;
  throw new Error(
    `it has tables, indexes, views or triggers that are not Darkroom's: ${strangeIn(sql).join(', ')}.`,
  );
}

/** Turns a store that no process uses into a backup, in one file and on disk. */
export async function markAsBackup(path: string, about: Omit<BackupNote, 'tables'>): Promise<void> {
  const sql = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    for (const { name } of sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all())
      if (STATISTICS.test(String(name))) sql.exec(`DROP TABLE ${name}`);
    const note: BackupNote = { ...about, tables: await tableSums(sql) };
    sql
      .prepare('INSERT INTO meta (name, value) VALUES (?, ?)')
      .run(BACKUP, Buffer.from(JSON.stringify(note)));
  } finally {
    sql.close();
  }
  intoOneFile(path);
}

/** Without a log beside it, and on disk. The thread that copies the log may still be at it when the store was closed. */
export function intoOneFile(path: string): void {
  const sql = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    const mode = sql.prepare('PRAGMA journal_mode = DELETE').get()?.journal_mode;
    if (mode !== 'delete') throw new Error(`its log could not be copied into it (${mode}).`);
  } finally {
    sql.close();
  }
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
