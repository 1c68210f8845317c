import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const BYTES = 65_536;

/** Throws a message for the owner if a store cannot be written at this path. Does not touch the store. */
export function tryFolder(path: string): void {
  if (path === ':memory:') return;
  if (existsSync(path)) tryTo(() => accessSync(path, constants.R_OK | constants.W_OK), path);
  const folder = dirname(path);
  if (!existsSync(folder)) {
    // It is created at the first start.
    tryTo(() => accessSync(existing(folder), constants.W_OK | constants.X_OK), existing(folder));
    return;
  }
  const trial = join(folder, `doctor-${randomUUID()}`);
  tryTo(() => {
    try {
      const file = openSync(trial, 'wx', 0o600);
      try {
        writeSync(file, Buffer.alloc(BYTES));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    } finally {
      rmSync(trial, { force: true });
    }
  }, folder);
}

const existing = (folder: string): string =>
  existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));

const words: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to it',
  EPERM: 'this user may not write to it',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'it is not a folder',
};

function tryTo(work: () => void, what: string): void {
  try {
    work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new Error(`${what}: ${words[code] ?? (error instanceof Error ? error.message : String(error))}`);
  }
}
