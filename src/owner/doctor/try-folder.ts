import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readlinkSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isThere } from '../../base/make-folder.ts';
import { aboutFile } from '../file-error.ts';

const BYTES = 65_536;

/** Throws a message for the owner if a store cannot be written at this path. Does not touch the store. */
export function tryFolder(path: string): void {
  if (path === ':memory:') return;
  tryTo(() => isThere(path) && accessSync(path, constants.R_OK | constants.W_OK), path);
  // Folders that do not exist are created at the first start.
  const folder = existing(dirname(resolve(path)));
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

function existing(folder: string): string {
  if (isThere(folder)) return folder;
  if (isLink(folder)) throw new Error(`${folder}: it is a link to a folder that does not exist`);
  return existing(dirname(folder));
}

function isLink(path: string): boolean {
  try {
    return readlinkSync(path) !== '';
  } catch {
    return false;
  }
}

function tryTo(work: () => unknown, what: string): void {
  try {
    work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new Error(`${what}: nothing can be created in it.`, { cause: error });
    throw aboutFile(what, error) ?? error;
  }
}
