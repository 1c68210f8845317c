import { chmodSync, constants, copyFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StoreError } from '../../store/records/store-error.ts';
import { type BackupNote, checkBackup } from '../../store/sqlite/backup/backup.ts';
import { replaceFile } from '../../store/sqlite/backup/restore.ts';
import { copyFrom } from '../../store/sqlite/copy.ts';
import { fileError, isWriteError } from '../../store/sqlite/file/sqlite-error.ts';
import { realFile } from '../../store/sqlite/file/store-file.ts';
import { fileOf, isInUse } from '../../store/store.ts';
import { inWorkFolder } from '../backup/work-folder.ts';
import { fileErrorForOwner } from '../file-error.ts';
import { fillStore } from '../move/move-store.ts';
import { type PreparedJobs, prepareRestored } from './prepare-restored.ts';

const STOPPED = 'Stopped. Nothing was changed.';
/** The message for PostgreSQL, which may have committed although this process stopped before the answer. */
const STOPPED_DATABASE =
  'Stopped. Nothing was changed, unless the comparison had ended: then the store may have been replaced as a whole.';

/** The result of a restore. */
export interface Restored extends PreparedJobs {
  readonly note: BackupNote;
}

/**
 * Replaces a store that no process works on by a backup, all or nothing. The backup is checked and prepared on a copy first.
 */
export async function restoreStore(options: {
  readonly file: string;
  /** The URL of the store that is replaced. */
  readonly url: string;
  readonly keys: readonly Uint8Array[];
  readonly progress: (line: string) => void;
  /** How long to ask whether a database was replaced, if the connection is lost at the commit. */
  readonly certaintyMs?: number;
}): Promise<Restored> {
  const { file, url, keys, progress, certaintyMs } = options;
  const path = fileOf(url);
  const store = path === undefined ? undefined : placeOf(path);
  // The folder is beside the store, so that the copy can take the store's place by a rename.
  const parent = store === undefined ? tmpdir() : dirname(store);
  await refuseInUse(url);
  let isPrepared = false;
  try {
    return await inWorkFolder(parent, store === undefined ? STOPPED_DATABASE : STOPPED, async (folder) => {
      const copy = join(folder, 'copy');
      copyBackup(file, copy);
      progress('checking the backup');
      const note = await checkBackup(copy, file);
      const prepared = await prepareRestored(copy, keys);
      isPrepared = true;
      progress('replacing the store');
      if (store === undefined) await replaceDatabase(url, copy, progress, certaintyMs);
      else replaceFile(store, copy);
      return { note, ...prepared };
    });
  } catch (error) {
    const cause = error instanceof StoreError ? error.cause : error;
    if (isPrepared || !isOfCopy(cause))
      throw fileErrorForOwner(`The backup ${file} cannot be restored`, error) ?? error;
    const place = store === undefined ? `${parent} (TMPDIR)` : parent;
    throw fileErrorForOwner(`A copy of the backup cannot be written to ${place}`, cause) ?? error;
  }
}

const NO_ROOM: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS'];

/** Whether the error is about the folder of the copy; the backup itself is only read. */
function isOfCopy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    isWriteError(error) ||
    ('syscall' in error && error.syscall === 'mkdtemp') ||
    ('code' in error && NO_ROOM.includes(error.code))
  );
}

/**
 * Refuses a store that a process works on, before minutes are spent on preparing. The replacement checks it again under a
 * lock.
 */
async function refuseInUse(url: string): Promise<void> {
  // The error of a store that cannot be asked is reported when the store is replaced.
  if (await isInUse(url).catch(() => false))
    throw new StoreError(
      'Darkroom works on this store (STORE_URL). Stop it, run the command again, and start it when that has ended.',
    );
}

function placeOf(path: string): string {
  if (path === ':memory:') throw new StoreError('STORE_URL is no file that could be restored.');
  try {
    return realFile(path);
  } catch (error) {
    throw fileError(error, path, 'replaced');
  }
}

/** Copies the backup first, so that the checked bytes are the restored ones even if the file changes meanwhile. */
function copyBackup(file: string, copy: string): void {
  if (!statSync(file).isFile()) throw new StoreError(`${file} is not a file.`);
  copyFileSync(file, copy, constants.COPYFILE_EXCL);
  chmodSync(copy, 0o600);
}

async function replaceDatabase(
  url: string,
  copy: string,
  progress: (line: string) => void,
  certaintyMs: number | undefined,
): Promise<void> {
  const { replacePostgres } = await import('../../store/postgres/copy.ts');
  await copyFrom(copy, (source) =>
    replacePostgres(url, (target) => fillStore(source, target, progress), certaintyMs),
  );
}
