import { type Clock, MINUTE_MS } from '../base/clock.ts';
import type { PhotoRef } from '../command/photo.ts';
import { type Caller, personKey, turnKey } from '../command/place.ts';
import { MAX_PHOTO_BYTES } from './photo.ts';

/** A photo of a platform, not a link or a saved face. */
type SentPhoto = Extract<PhotoRef, { readonly ref: string }>;

interface CheckedPhoto {
  /** As it was fetched. */
  readonly bytes: Uint8Array;
  /** As the service gets it, if the check has made that: its own copy is smaller than a large photo. */
  readonly clean: Uint8Array | undefined;
}

interface Kept extends CheckedPhoto {
  readonly person: string;
  readonly turn: string;
  readonly size: number;
  readonly cancel: () => void;
}

/** Usually the job begins a moment after the check, or after one question. */
const KEPT_MS = MINUTE_MS;
const MOST_BYTES = { total: 64 * 1024 * 1024, perTurn: MAX_PHOTO_BYTES };

export type CheckedPhotos = ReturnType<typeof createCheckedPhotos>;

/**
 * Photos that the face check has fetched, so that the job that follows need not fetch them again. In memory only, each for its own person and
 * for one job. A photo for which there is no room is not kept, and neither is one whose job begins later or in another process.
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
    /** A check begins; what is returned keeps its photo. */
    begin(caller: Caller, photo: SentPhoto): (checked: CheckedPhoto) => void {
      const key = keyOf(caller, photo);
      const erasuresBefore = erasures;
      return ({ bytes, clean }) => {
        // Perhaps its person's: a check that began before an erasure leaves nothing behind.
        if (erasures !== erasuresBefore) return;
        const turn = turnKey(caller);
        const size = bytes.byteLength + (clean?.byteLength ?? 0);
        remove(key);
        if (!hasRoomFor(size, turn)) return;
        const cancel = clock.after(KEPT_MS, () => remove(key));
        kept.set(key, { bytes, clean, person: personKey(caller), turn, size, cancel });
      };
    },

    /** It belongs to the job from then on. `reserve` is waited for before that, and the photo may be forgotten meanwhile. */
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

    /** A person has their data removed. */
    forget(caller: Caller): void {
      erasures += 1;
      const person = personKey(caller);
      for (const [key, one] of kept) if (one.person === person) remove(key);
    },
  };
}
