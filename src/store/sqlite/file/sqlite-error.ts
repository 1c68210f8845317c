import { StoreDamagedError, StoreError, StoreGoneError } from '../../records/store-error.ts';

type FileErrorKind = 'busy' | 'read-only' | 'disk' | 'damaged' | 'full' | 'no access' | 'not a store';
const KINDS: Readonly<Record<number, FileErrorKind>> = {
  5: 'busy',
  8: 'read-only',
  10: 'disk',
  11: 'damaged',
  13: 'full',
  14: 'no access',
  26: 'not a store',
};

/** The higher bits are the extended result code. */
const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) : Number.NaN;

/** A value that must be unique exists already: SQLITE_CONSTRAINT. */
export const isConstraint = (error: unknown): boolean => (codeOf(error) & 0xff) === 19;

/** The kind of an error of SQLite; undefined: another error. */
export const fileErrorKind = (error: unknown): FileErrorKind | undefined => KINDS[codeOf(error) & 0xff];

/** A write was interrupted, and the file was opened to be read only: SQLITE_READONLY_ROLLBACK. Opening it to write repairs that. */
export const isInterrupted = (error: unknown): boolean => codeOf(error) === 776;

/** There is no room, or the disk failed at something else than SQLITE_IOERR_READ and SQLITE_IOERR_SHORT_READ. */
export function isWriteError(error: unknown): boolean {
  const kind = fileErrorKind(error);
  return kind === 'full' || (kind === 'disk' && ![266, 522].includes(codeOf(error)));
}

const DISK = 'the disk failed, or one of its limits is reached.';
const FULL = 'the disk is full.';
const FORBIDDEN =
  'this user may not create it or its folder. Make the parent folder writable, or set STORE_URL to a file elsewhere.';
const NO_FOLDER =
  'its path leads through a file where a folder should be. Set STORE_URL to a file elsewhere.';
const MOUNTED = 'it is mounted by itself, and cannot be replaced. Mount its folder instead.';

const WORDS: Readonly<Record<string, string>> = {
  busy: 'another program has locked it.',
  'read-only': 'this user may not write to it or to its folder.',
  disk: DISK,
  damaged: 'the file is damaged. Restore a backup.',
  full: FULL,
  'no access':
    'this user may not open it or create files in its folder, or this process has too many files open.',
  'not a store': 'the file is not a database.',
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
  EROFS: FORBIDDEN,
  ENOENT: 'nothing can be created in its folder. Set STORE_URL to a file elsewhere.',
  ENAMETOOLONG: 'its path is too long. Set STORE_URL to a shorter one.',
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  EIO: DISK,
  ENOSPC: FULL,
  EDQUOT: FULL,
  EBUSY: MOUNTED,
  EXDEV: MOUNTED,
};

/** Why a file could not be used, in a sentence for the owner. */
export function describeFileError(error: unknown): string {
  if (isInterrupted(error))
    return 'a write to it was interrupted and left a journal beside it (its name ends in -journal). The next start of Darkroom repairs that.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = WORDS[fileErrorKind(error) ?? code];
  return words ?? (error instanceof Error ? error.message : String(error));
}

/** The owner's message when a file cannot be used. `use`: what was to be done with it. */
export function fileError(
  error: unknown,
  path: string,
  use: 'opened' | 'read' | 'written' | 'copied' | 'replaced',
): StoreError {
  if (error instanceof StoreError) return error;
  return new StoreError(`The store ${path} cannot be ${use} (STORE_URL): ${describeFileError(error)}`, {
    cause: error,
  });
}

/** Why the file cannot be written to, in a sentence that anybody may read: without its path. */
export function fileTrouble(error: unknown): string {
  if (error instanceof StoreGoneError)
    return 'its file was removed or replaced: put it back, or restart Darkroom with the current one.';
  if (error instanceof StoreDamagedError) return 'its file is damaged: restore a backup.';
  return 'its file is not writable: is the disk full?';
}
