import { statSync } from 'node:fs';
import { StoreGoneError } from '../../records/store-error.ts';

const WHAT_TO_DO =
  'was removed or replaced while Darkroom runs on it: nothing is accepted. Put it back as it was, or stop Darkroom and start it again on what is there now.';

/**
 * Returns a check that throws when one of the files was removed or replaced: writes to the open file would then succeed
 * and be lost.
 */
export function createFileIdentityCheck(paths: readonly string[]): () => void {
  const first = paths.map((path) => ({ path, id: idOf(path) }));
  return () => {
    for (const { path, id } of first)
      if (idOf(path) !== id) throw new StoreGoneError(`${path} ${WHAT_TO_DO}`);
  };
}

function idOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
