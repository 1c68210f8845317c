import { readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isThere, makeFolder } from '../../../base/make-folder.ts';

/** More links in a row are a loop. */
const MAX_LINKS = 40;

/**
 * The real path of a file with all links resolved: SQLite keeps its log beside the file itself, and two spellings of one
 * store must not be two stores. Creates the folder; the file may be missing.
 */
export function realFile(path: string): string {
  if (path === ':memory:') return path;
  let file = resolve(path);
  makeFolder(dirname(file));
  for (let links = 0; links < MAX_LINKS; links += 1) {
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

function nameOf(file: string): string {
  return basename(isThere(file) ? realpathSync.native(file) : file);
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}
