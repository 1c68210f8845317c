import type { Clock } from '../../../base/clock.ts';
import { pictureType } from '../../../base/picture-type.ts';
import { ofHeaviest } from '../visitors/heaviest.ts';

interface Photo {
  readonly bytes: Uint8Array;
  readonly type: string;
}

const KEPT_MS = 3_600_000;
const MOST_PHOTOS = 200;
const MOST_BYTES = 256 * 1024 * 1024;

const photosOf = (person: string): string => `photo.${person}.`;

/** The id of a photo of one message. */
export const photoId = (person: string, message: string, index: number): string =>
  `${photosOf(person)}${message}.${index}`;

/** The id of the picture that the bot's answer `bot.<person>.<action>` shows. */
export const shownPhotoId = (answer: string): string => `photo.${answer.replace(/^bot\./, '')}.shown`;

/** Uploaded photos and what shows them: only in memory, for an hour, never on disk. */
export function createPhotos(clock: Clock) {
  /** Oldest first. */
  const kept = new Map<string, Photo & { readonly until: number; readonly visitor: string }>();
  let total = 0;
  const drop = (id: string): void => {
    total -= kept.get(id)?.bytes.byteLength ?? 0;
    kept.delete(id);
  };
  /** The oldest photo of the visitor who uses most memory: a visitor who sends many displaces only their own. */
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
    put(id: string, bytes: Uint8Array, visitor: string): void {
      tidy();
      // Sent again after a lost response: the same photo.
      if (kept.has(id)) return;
      // What is no picture is not served as one.
      const type = pictureType(bytes) ?? 'application/octet-stream';
      kept.set(id, { bytes, type, until: clock.now() + KEPT_MS, visitor });
      total += bytes.byteLength;
      tidy();
    },
    get(id: string): Photo | undefined {
      tidy();
      return kept.get(id);
    },
    dropOf(person: string): void {
      for (const id of kept.keys()) if (id.startsWith(photosOf(person))) drop(id);
    },
    isEmpty(): boolean {
      tidy();
      return kept.size === 0;
    },
  };
}

export type Photos = ReturnType<typeof createPhotos>;
