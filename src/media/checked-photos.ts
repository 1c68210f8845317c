import { type Clock, MINUTE_MS } from '../base/clock.ts';
import type { SentPhoto } from '../command/photo.ts';
import { type Caller, personKey, turnKey } from '../command/place.ts';
import { MAX_PHOTO_BYTES } from './photo.ts';

interface CheckedPhoto {
  /** The photo as it was downloaded. */
  readonly bytes: Uint8Array;
  /**
   * The cleaned photo for the service, if the check has made it; for a large photo the copy that the check itself uses is
   * smaller.
   */
  readonly clean: Uint8Array | undefined;
}

interface Kept extends CheckedPhoto {
  readonly person: string;
  readonly turn: string;
  readonly size: number;
  readonly cancel: () => void;
}

/** How long a photo is kept; usually the job begins a moment after the check, or after one question. */
const KEPT_MS = MINUTE_MS;
const MOST_BYTES = { total: 64 * 1024 * 1024, perTurn: MAX_PHOTO_BYTES };

/** The cache of checked photos, see `createCheckedPhotos`. */
export type CheckedPhotos = ReturnType<typeof createCheckedPhotos>;

/**
 * Keeps photos that the face check has downloaded, so that the following job need not download them again. They are in memory
 * only, each for its own person and for one job. Photos beyond the limits are not kept; a job that begins later or in another
 * process downloads its photo again.
 */
export function createCheckedPhotos(clock: Pick<Clock, 'after'>) {
  const kept = new Map<string, Kept>();
  let erasures = 0;
  const keyOf = (caller: Caller, { from, ref }: SentPhoto): string => `${personKey(caller)} ${from} ${ref}`;

  const remove = (key: string): void => {
    kept.get(key)?.cancel();
    kept.delete(key);
  };

  const hasRoomFor = (size: number, turn: string): boolean => {
    let total = size;
    let ofTurn = size;
    for (const one of kept.values()) {
      total += one.size;
      if (one.turn === turn) ofTurn += one.size;
    }
    return total <= MOST_BYTES.total && ofTurn <= MOST_BYTES.perTurn;
  };

  return {
    /** Called when a check begins. The returned function stores its photo. */
    begin(caller: Caller, photo: SentPhoto): (checked: CheckedPhoto) => void {
      const key = keyOf(caller, photo);
      const erasuresBefore = erasures;
      return ({ bytes, clean }) => {
        // The erasure may be of this person's data: a check that began before it must store nothing.
        if (erasures !== erasuresBefore) return;
        const turn = turnKey(caller);
        const size = bytes.byteLength + (clean?.byteLength ?? 0);
        remove(key);
        if (!hasRoomFor(size, turn)) return;
        const cancel = clock.after(KEPT_MS, () => remove(key));
        kept.set(key, { bytes, clean, person: personKey(caller), turn, size, cancel });
      };
    },

    /** Moves a photo to the job. `reserve` is awaited before, and the photo may be removed meanwhile. */
    async take(
      caller: Caller,
      photo: SentPhoto,
      reserve: (bytes: number) => Promise<void>,
    ): Promise<CheckedPhoto | undefined> {
      const key = keyOf(caller, photo);
      const found = kept.get(key);
      if (found === undefined) return undefined;
      await reserve(found.bytes.byteLength);
      if (kept.get(key) !== found) return undefined;
      remove(key);
      return found;
    },

    /** Removes the photos of a person whose data is being erased. */
    forget(caller: Caller): void {
      erasures += 1;
      const person = personKey(caller);
      for (const [key, one] of kept) if (one.person === person) remove(key);
    },
  };
}
