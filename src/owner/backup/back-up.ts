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
import { backupNoteOf, filesBeside, realFile } from '../../store/sqlite/file/store-file.ts';
import { fileOf, noteBackup } from '../../store/store.ts';
import { fileErrorForOwner } from '../file-error.ts';
import { fillStore } from '../move/move-store.ts';
import { inWorkFolder } from './work-folder.ts';

/** The source and target of a backup. */
export interface BackupOptions {
  /** The URL of the store. */
  readonly url: string;
  readonly file: string;
  /** The version of this program, which the backup notes. */
  readonly version: string;
  readonly progress: (line: string) => void;
}

/**
 * Backs up a store of either kind into one file, which is itself a SQLite store that is marked as a backup. The file gets
 * its name only when it is complete, on disk and checked; after a failure there is no file.
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
      // The file is created here, because SQLite would make it readable to others.
      closeSync(openSync(part, 'wx', 0o600));
      if (path === undefined) await copyDatabase(url, part, progress);
      else await copyWhileInUse(path, part);
      await markAsBackup(part, { at, version });
      progress('checking');
      const note = await checkBackup(part, file);
      giveName(part, target);
      await noteTime(url, at, progress);
      return note;
    });
  } catch (error) {
    throw fileErrorForOwner(`The backup ${file} cannot be written`, error) ?? error;
  }
}

async function copyDatabase(url: string, part: string, progress: (line: string) => void): Promise<void> {
  const database = await import('../../store/postgres/copy.ts');
  try {
    const fill: Parameters<typeof database.copyFrom>[1] = (source) =>
      copyTo(part, (target) => fillStore(source, target, progress));
    await database.copyFrom(url, fill, true);
  } catch (error) {
    // An error of SQLite is about the new file, which to the owner is a backup and not a store.
    throw error instanceof StoreError && fileErrorKind(error.cause) !== undefined ? error.cause : error;
  }
}

/** Notes when the backup was made, for the console and the doctor. The backup itself is good without that. */
async function noteTime(url: string, at: string, progress: (line: string) => void): Promise<void> {
  try {
    await noteBackup(url, at);
  } catch (error) {
    const why = fileErrorForOwner('it cannot be written beside the store', error) ?? error;
    progress(
      `The time of this backup could not be noted, so the console and the doctor do not know of it: ${why instanceof Error ? why.message : 'unknown error'}`,
    );
  }
}

function refuseExisting(file: string): void {
  // `lstat` finds a broken link, too, which is not ours to replace.
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined)
    throw new StoreError(`${file} exists already, and is not overwritten. Name another file.`);
}

/** Refuses a name that SQLite, or the next restore, would take for a file of the store. */
function refuseBesideStore(file: string, store: string | undefined): void {
  if (store === undefined || !existsSync(store)) return;
  const real = join(realpathSync(dirname(file)), basename(file));
  if ([...filesBeside(realFile(store)), backupNoteOf(realFile(store))].includes(real))
    throw new StoreError(`${file} is a name that the store uses for its own files. Name another file.`);
}

/** Gives the file its final name by a hard link, which never replaces another file; by a rename on disks without links. */
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
