import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, each accessible to its owner only. They are created one by one, because Node's
 * recursive `mkdir` never returns where a folder exists but nothing can be created in it (`/proc`).
 */
export function makeFolder(folder: string): void {
  if (isThere(folder)) return;
  const parent = dirname(folder);
  makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (isThere(folder)) return;
    const isLink = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (isLink) throw new Error(`its path leads through a link to a folder that does not exist: ${folder}.`);
    throw error;
  }
  // A new folder survives a power cut only once its parent folder has been synced.
  syncFolder(parent);
}

/** Whether a file or folder exists. */
export const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

/** Makes new names in a folder survive a power cut. */
export function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // Windows cannot open folders.
  }
}
