import { chownSync, existsSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFolder } from '../../../base/make-folder.ts';
import { StoreError } from '../../records/store-error.ts';
import { fileError, fileErrorKind } from '../file/sqlite-error.ts';
import { lockFile, requireFile, requireStore } from '../file/store-file.ts';

/** Puts a whole store that is on disk in the place of one that no process works on. `file`: see `realFile`. */
export function replaceFile(file: string, by: string): void {
  try {
    using opened = new DisposableStack();
    opened.defer(lockFile(file));
    if (existsSync(file)) settleUnread(file, by);
    else refuseLeftLog(file);
    renameSync(by, file);
    syncFolder(dirname(file));
  } catch (error) {
    throw fileError(error, file, 'replaced');
  }
}

function settleUnread(file: string, by: string): void {
  try {
    settleLog(file, by);
  } catch (error) {
    if (fileErrorKind(error) !== 'busy') throw error;
    throw new StoreError(
      `Another program reads the store ${file}, such as npm run backup. Run the command again when it has ended.`,
    );
  }
}

/** SQLite would write what a lost file left behind into the new one, which would damage it. */
function refuseLeftLog(file: string): void {
  const left = [`${file}-wal`, `${file}-journal`].filter((path) => existsSync(path));
  if (left.length > 0)
    throw new StoreError(
      `There is no store at ${file} (STORE_URL), but the log of one. Move ${left.join(' and ')} away, and run the command again.`,
    );
}

/** SQLite would take a log that is left behind for the new file's. Copied into the old one, nothing of that is lost either. */
function settleLog(file: string, by: string): void {
  requireFile(file);
  const { nlink, uid, gid } = statSync(file);
  if (nlink > 1) throw new Error('it has a second name (a hard link). Remove one of the names.');
  try {
    using sql = new DatabaseSync(file, { timeout: 0 });
    requireStore(sql, 'it is a backup, and is not overwritten.');
    sql.exec('PRAGMA journal_mode = DELETE');
  } catch (error) {
    const kind = fileErrorKind(error);
    if (kind !== 'damaged' && kind !== 'not a store') throw error;
    throw new StoreError(
      `The store ${file} is damaged, and is not overwritten (STORE_URL). Move it away, with ${file}-wal and ${file}-shm, and run the command again.`,
      { cause: error },
    );
  }
  // As root, for the user that Darkroom runs as.
  if (process.getuid?.() === 0) chownSync(by, uid, gid);
}
