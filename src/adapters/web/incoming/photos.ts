import type { Clock } from '../../../base/clock.ts';
import { pictureType } from '../../../base/picture-type.ts';
import type { MediaStore } from '../outgoing/media.ts';
import { ofHeaviest } from '../visitors/heaviest.ts';

interface Photo {
  readonly bytes: Uint8Array;
  readonly type: string;
}

export const PHOTO_KEPT_MS = 3_600_000;
const MOST_PHOTOS = 200;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Uploaded photos, for an hour: only in memory, never on disk. Where processes share a store, also there (`stored`), because any of
 * them may send a photo to the service.
 */
export function createPhotos(clock: Clock, stored?: MediaStore) {
  /** Oldest first. */
  const kept = new Map<string, Photo & { readonly until: number; readonly visitor: string }>();
  let total = 0;
  const drop = (id: string): void => {
    total -= kept.get(id)?.bytes.byteLength ?? 0;
    kept.delete(id);
  };
  /** The oldest photo of the visitor who uses most memory, so that nobody loses photos to somebody who sends many. */
  const oldestOfMost = (): string | undefined => {
    const sizeOf = ([, { bytes }]: [string, Photo]): number => bytes.byteLength;
    return ofHeaviest([...kept], ([, { visitor }]) => visitor, sizeOf)[0]?.[0];
  };
  const tidy = (): void => {
    const now = clock.now();
    for (const [id, { until }] of kept) {
      if (until > now) break;
      drop(id);
    }
    while (total > MOST_BYTES || kept.size > MOST_PHOTOS) {
      const oldest = oldestOfMost();
      if (oldest === undefined) return;
      drop(oldest);
    }
  };
  return {
    async put(id: string, bytes: Uint8Array, visitor: string): Promise<void> {
      tidy();
      // Sent again after a lost response: the same photo.
      if (kept.has(id)) return;
      // What is no picture is not served as one.
      const type = pictureType(bytes) ?? 'application/octet-stream';
      kept.set(id, { bytes, type, until: clock.now() + PHOTO_KEPT_MS, visitor });
      total += bytes.byteLength;
      tidy();
      await stored?.keepAs(id, bytes, type);
    },
    has(id: string): boolean {
      tidy();
      return kept.has(id) || (stored?.has(id) ?? false);
    },
    async read(id: string): Promise<Photo | undefined> {
      tidy();
      return kept.get(id) ?? (await stored?.read(id));
    },
    /** Reads which ones other processes have stored. */
    load: async (): Promise<void> => stored?.load(),
    async drop(id: string): Promise<void> {
      drop(id);
      await stored?.drop(id);
    },
  };
}

export type Photos = ReturnType<typeof createPhotos>;
