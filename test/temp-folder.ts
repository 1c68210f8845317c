import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 2 ** 30;

/** Files in memory are real files, and a test that does not cut the power need not wait for the disk. */
const parent = (): string => {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize > ENOUGH_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
};

export const createTempFolder = (prefix: string): string => mkdtempSync(join(parent(), prefix));

/** Names files in a new folder of each test. */
export function folderForEach(): (name?: string) => string {
  let folder: string;
  beforeEach(() => {
    folder = createTempFolder('darkroom-test-');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return (name = '.') => join(folder, name);
}
