import { statSync } from 'node:fs';
import { StoreGoneError } from './store-error.ts';

const WORDS =
  'was removed or replaced while Darkroom runs on it: nothing is accepted. Put it back as it was, or stop Darkroom and start it again on what is there now.';

/**
 * A file that was removed or replaced is written to as before by whoever has it open, and nobody finds what was written.
 * Returns what throws when one of these is not the one that was there at first.
 */
export function createPresence(paths: readonly string[]): () => void {
  const first = paths.map((path) => ({ path, id: idOf(path) }));
  return () => {
    for (const { path, id } of first) if (idOf(path) !== id) throw new StoreGoneError(`${path} ${WORDS}`);
  };
}

function idOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
