import { closeSync, fsyncSync, mkdirSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** More links in a row are a loop. */
const maxLinks = 40;

/**
 * The real path of a file with all links resolved: SQLite keeps its log beside the file itself, and two spellings of one
 * store must not be two stores. Creates the folder; the file may be missing.
 */
export function realFile(path: string): string {
  if (path === ':memory:') return path;
  let file = resolve(path);
  makeFolder(dirname(file));
  for (let links = 0; links < maxLinks; links += 1) {
    // The linked disk may not be mounted: no empty store must be created in its place.
    if (!isThere(dirname(file)))
      throw new Error(`it is a link to a folder that does not exist: ${dirname(file)}.`);
    const target = linkOf(file);
    // `native` also returns the spelling on disk where case does not matter.
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

/** A new folder survives a power cut only once its parent folder has been synced. */
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
    // Windows cannot open folders.
  }
}
