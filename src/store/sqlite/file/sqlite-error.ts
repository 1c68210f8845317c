import { StoreDamagedError, StoreError, StoreGoneError } from '../../records/store-error.ts';

type FileErrorKind = 'busy' | 'read-only' | 'disk' | 'damaged' | 'full' | 'no access' | 'not a store';

/** By SQLite's primary result codes. */
const KINDS: Readonly<Record<number, FileErrorKind>> = {
  5: 'busy',
  8: 'read-only',
  10: 'disk',
  11: 'damaged',
  13: 'full',
  14: 'no access',
  26: 'not a store',
};

const CONSTRAINT_CODE = 19;

// The higher bits are the extended result code.
function codeOf(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : Number.NaN;
}

/** A value that must be unique exists already. */
export function isConstraint(error: unknown): boolean {
  return codeOf(error) === CONSTRAINT_CODE;
}

/** Undefined: not an error of the file. */
export function fileErrorKind(error: unknown): FileErrorKind | undefined {
  return KINDS[codeOf(error)];
}

/** SQLITE_READONLY_ROLLBACK: the file was opened to be read only. */
const INTERRUPTED_CODE = 776;

/** A write was interrupted; opening it to write repairs that. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === INTERRUPTED_CODE;
}

/** SQLITE_IOERR_READ and SQLITE_IOERR_SHORT_READ. */
const READ_CODES: readonly unknown[] = [266, 522];

/** There is no room, or the disk failed at something else than reading. */
export function isWriteError(error: unknown): boolean {
  const kind = fileErrorKind(error);
  return (
    kind === 'full' ||
    (kind === 'disk' && error instanceof Error && 'errcode' in error && !READ_CODES.includes(error.errcode))
  );
}

const descriptions: Readonly<Record<FileErrorKind, string>> = {
  busy: 'another program has locked it.',
  'read-only': 'this user may not write to it or to its folder.',
  disk: 'the disk failed, or one of its limits is reached.',
  damaged: 'the file is damaged. Restore a backup.',
  full: 'the disk is full.',
  'no access':
    'this user may not open it or create files in its folder, or this process has too many files open.',
  'not a store': 'the file is not a database.',
};

/** Tells the owner why a file cannot be used. */
export function describeFileError(error: unknown): string {
  if (isInterrupted(error))
    return 'a write to it was interrupted and left a journal beside it (its name ends in -journal). The next start of Darkroom repairs that.';
  const kind = fileErrorKind(error);
  if (kind !== undefined) return descriptions[kind];
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['EACCES', 'EPERM', 'EROFS'].includes(code))
    return 'this user may not create it or its folder. Make the parent folder writable, or set STORE_URL to a file elsewhere.';
  if (code === 'ENOENT') return 'nothing can be created in its folder. Set STORE_URL to a file elsewhere.';
  if (code === 'ENAMETOOLONG') return 'its path is too long. Set STORE_URL to a shorter one.';
  if (['EEXIST', 'ENOTDIR'].includes(code))
    return 'its path leads through a file where a folder should be. Set STORE_URL to a file elsewhere.';
  if (code === 'EIO') return descriptions.disk;
  if (['ENOSPC', 'EDQUOT'].includes(code)) return descriptions.full;
  if (['EBUSY', 'EXDEV'].includes(code))
    return 'it is mounted by itself, and cannot be replaced. Mount its folder instead.';
  return error instanceof Error ? error.message : String(error);
}

/** The message for the owner when a store cannot be used. */
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

/** Why a file that is in use cannot be written to. */
export function fileTrouble(error: unknown): string {
  if (error instanceof StoreGoneError)
    return 'its file was removed or replaced: put it back, or restart Darkroom with the current one.';
  if (error instanceof StoreDamagedError) return 'its file is damaged: restore a backup.';
  return 'its file is not writable: is the disk full?';
}
