import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { syncFolder } from '../../base/make-folder.ts';
import { StoreError } from '../../store/records/store-error.ts';
import {
  type CheckedBackup,
  checkBackup,
  copyWhileInUse,
  markAsBackup,
} from '../../store/sqlite/backup/backup.ts';
import { copyTo } from '../../store/sqlite/copy.ts';
import { fileErrorKind } from '../../store/sqlite/file/sqlite-error.ts';
import { besideOf, realFile } from '../../store/sqlite/file/store-file.ts';
import { fileOf } from '../../store/store.ts';
import { aboutFile } from '../file-error.ts';
import { fillStore } from '../move/move-store.ts';
import { inWorkFolder } from './work-folder.ts';

export interface BackupOptions {
  /** The store. */
  readonly url: string;
  readonly file: string;
  /** The version of this program. */
  readonly version: string;
  readonly progress: (line: string) => void;
}

/**
 * Writes the store into one file, a store of its own that is marked as a backup, from either kind of store. The file gets
 * its name when it is whole, on disk and read again; without that there is nothing.
 */
export async function backUp({ url, file, version, progress }: BackupOptions): Promise<CheckedBackup> {
  const target = resolve(file);
  try {
    refuseExisting(target);
    refuseBesideStore(target, fileOf(url));
    return await inWorkFolder(dirname(target), 'Stopped: there is no backup.', async (folder) => {
      const part = join(folder, 'part');
      const at = new Date().toISOString();
      const path = fileOf(url);
      // SQLite would create it readable to others.
      closeSync(openSync(part, 'wx', 0o600));
      if (path === undefined) await copyDatabase(url, part, progress);
      else await copyWhileInUse(path, part);
      await markAsBackup(part, { at, version });
      progress('checking');
      const note = await checkBackup(part, file);
      giveName(part, target);
      return note;
    });
  } catch (error) {
    throw aboutFile(`The backup ${file} cannot be written`, error) ?? error;
  }
}

async function copyDatabase(url: string, part: string, progress: (line: string) => void): Promise<void> {
  const database = await import('../../store/postgres/copy.ts');
  try {
    const fill: Parameters<typeof database.copyFrom>[1] = (source) =>
      copyTo(part, (target) => fillStore(source, target, progress));
    await database.copyFrom(url, fill, true);
  } catch (error) {
    // Only the new file is SQLite's, and to the owner it is a backup, not a store.
    throw error instanceof StoreError && fileErrorKind(error.cause) !== undefined ? error.cause : error;
  }
}

function refuseExisting(file: string): void {
  // A link that leads nowhere is not ours, either.
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined)
    throw new StoreError(`${file} exists already, and is not overwritten. Name another file.`);
}

/** SQLite, or the next restore, would take it for its own. */
function refuseBesideStore(file: string, store: string | undefined): void {
  if (store === undefined || !existsSync(store)) return;
  const real = join(realpathSync(dirname(file)), basename(file));
  if (besideOf(realFile(store)).includes(real))
    throw new StoreError(`${file} is a name that the store uses for its own files. Name another file.`);
}

/** A link, unlike a new name, never takes the place of another file. Some disks have no links. */
function giveName(part: string, file: string): void {
  try {
    linkSync(part, file);
    unlinkSync(part);
  } catch {
    refuseExisting(file);
    renameSync(part, file);
  }
  syncFolder(dirname(file));
}
