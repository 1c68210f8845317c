import { textOfHash } from '../hash/perceptual-hash.ts';
import type { PictureHasher } from '../hash/picture-hasher.ts';
import type { BlockedPhotos } from './blocked-photos.ts';

export interface BlockedComparison {
  /** As they are stored, one for each picture that is not flat. */
  readonly hashes: readonly string[];
  readonly isBlocked: boolean;
  /** Compares the photo again: it may be blocked by now. */
  readonly isBlockedNow: () => Promise<boolean>;
}

export type CompareWithBlocked = ReturnType<typeof createCompareWithBlocked>;

/**
 * Compares a photo with those that nobody can use: each of the `pictures`, which are the whole photo and the part that was chosen of it.
 * Rejects where that cannot be told, so that nothing is used unseen.
 */
export function createCompareWithBlocked(
  hasher: Pick<PictureHasher, 'hashes'>,
  blocked: Pick<BlockedPhotos, 'has'>,
) {
  return async (
    pictures: readonly Uint8Array[],
    person: string,
    signal?: AbortSignal,
  ): Promise<BlockedComparison> => {
    const hashed = [];
    // The decoder takes one picture of a person at a time.
    for (const bytes of pictures) hashed.push(await hasher.hashes(bytes, person, signal));
    // A flat picture would be taken for any other one.
    const known = hashed.filter(({ isFlat }) => !isFlat);
    const within = hashed.flatMap((each) => each.within ?? []);
    const isBlockedNow = (): Promise<boolean> => blocked.has([...known, ...within]);
    return {
      hashes: known.map(({ hash }) => textOfHash(hash)),
      isBlocked: await isBlockedNow(),
      isBlockedNow,
    };
  };
}
