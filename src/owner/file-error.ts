import { StoreError } from '../store/records/store-error.ts';
import { describeFileError, fileErrorKind } from '../store/sqlite/file/sqlite-error.ts';

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder.',
  ENOTDIR: 'its path leads through a file where a folder should be.',
  ENAMETOOLONG: 'its name or path is too long.',
  ELOOP: 'its symbolic links form a loop.',
  EISDIR: 'it is a folder.',
  EACCES: 'this user may not read or write there.',
  EPERM: 'this user may not read or write there.',
  EROFS: 'nothing can be written there.',
  EFBIG: 'it would be larger than a file may be here.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the quota of this user is used up.',
  EIO: 'the disk failed.',
};

/** Makes the message for the owner about a file that is not the store; undefined if the error is not about a file. */
export function fileErrorForOwner(what: string, error: unknown): StoreError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = fileErrorKind(error) === undefined ? WORDS[code] : describeFileError(error);
  return words === undefined ? undefined : new StoreError(`${what}: ${words}`, { cause: error });
}
