import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Thrown if a file that the owner named cannot be read. The message shows neither its path nor its content. */
export class NamedFileError extends Error {
  override readonly name = 'NamedFileError';
  readonly isMissing: boolean;

  constructor(message: string, isMissing = false) {
    super(message);
    this.isMissing = isMissing;
  }
}

const MISSING = 'there is no such file';
const UNREADABLE = 'this user may not read the file';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: MISSING,
  ENOTDIR: MISSING,
  EACCES: UNREADABLE,
  EPERM: UNREADABLE,
  ELOOP: 'its links lead to no file',
  ENAMETOOLONG: 'the path is too long',
  ENXIO: 'it is no file',
};

/** Reads a file that a setting names. A pipe or a device is refused, because reading it could wait or continue for ever. */
export function readNamedFile(path: string, mostBytes: number): Buffer {
  let file: number | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile()) throw new NamedFileError(found.isDirectory() ? 'it is a folder' : 'it is no file');
    if (found.size > mostBytes) throw new NamedFileError(`the file is larger than ${mostBytes} bytes`);
    return readFileSync(file);
  } catch (error) {
    if (error instanceof NamedFileError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new NamedFileError(REASONS[code] ?? 'the file cannot be read', code === 'ENOENT');
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
