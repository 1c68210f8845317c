import { closeSync, fsyncSync, mkdirSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** More links than that in a row are a ring. */
const MOST_LINKS = 40;

/**
 * The one path of a file, however it was spelled: SQLite keeps its log beside the file itself, not beside a link to it, and
 * two spellings of one store are one store. The folder is made if it is not there; the file may be missing.
 */
export function realFile(path: string): string {
  if (path === ':memory:') return path;
  let file = resolve(path);
  makeFolder(dirname(file));
  for (let links = 0; links < MOST_LINKS; links += 1) {
    // The disk that a link leads to may not be mounted: an empty store must not be made in its place.
    if (!isThere(dirname(file)))
      throw new Error(`it is a link to a folder that does not exist: ${dirname(file)}.`);
    const target = linkOf(file);
    // `native` also tells the letters' case as the disk has it, where case does not matter.
    if (target === undefined) return join(realpathSync.native(dirname(file)), nameOf(file));
    file = resolve(dirname(file), target);
  }
  throw new Error('its symbolic links form a loop.');
}

const nameOf = (file: string): string => basename(isThere(file) ? realpathSync.native(file) : file);

const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

/** A folder that was just made is there after a power cut only when the folder above it has been synced. */
function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
}

function syncFolder(folder: string): void {
  try {
    const file = openSync(folder, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch {
    // Windows opens no folder.
  }
}
