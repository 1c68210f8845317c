import type { Clock } from '../../../base/clock.ts';
import { itemsOfHeaviestOwner } from '../../../base/limits/heaviest.ts';
import { pictureType } from '../../../base/picture-type.ts';

interface Photo {
  readonly bytes: Uint8Array;
  readonly type: string;
}

const KEPT_MS = 3_600_000;
const MOST_PHOTOS = 200;
const MOST_BYTES = 256 * 1024 * 1024;

const TIDY_EVERY_MS = 60_000;

const photosOf = (person: string): string => `photo.${person}.`;

/** The id of a photo that a person sent with a message. */
export const photoId = (person: string, message: string, index: number): string =>
  `${photosOf(person)}${message}.${index}`;

/** The id of the photo that the bot's answer `bot.<person>.<action>` shows. */
export const shownPhotoId = (answer: string): string => `photo.${answer.replace(/^bot\./, '')}.shown`;

/** Keeps uploaded photos, and pictures that show them, for an hour in memory and never on disk. */
export function createPlaygroundPhotos(clock: Clock) {
  /** The kept photos, oldest first. */
  const kept = new Map<string, Photo & { readonly until: number; readonly address: string }>();
  let total = 0;
  const drop = (id: string): void => {
    total -= kept.get(id)?.bytes.byteLength ?? 0;
    kept.delete(id);
  };
  /**
   * Chooses the photo to drop: the oldest from the address that uses most memory, so that who sends many displaces only
   * their own.
   */
  const oldestOfMost = (): string | undefined => {
    const sizeOf = ([, { bytes }]: [string, Photo]): number => bytes.byteLength;
    return itemsOfHeaviestOwner([...kept], ([, { address }]) => address, sizeOf)[0]?.[0];
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

  let cancel: (() => void) | undefined;
  /** Starts a timer that drops expired photos even if nobody asks for one. */
  const tidyLater = (): void => {
    cancel ??= clock.after(TIDY_EVERY_MS, () => {
      cancel = undefined;
      tidy();
      if (kept.size > 0) tidyLater();
    });
  };

  return {
    /** Keeps photos. `address`: the visitor's, to whose share of the memory they count. */
    put(photos: readonly (readonly [id: string, bytes: Uint8Array])[], address: string): void {
      if (photos.length === 0) return;
      tidyLater();
      for (const [id, bytes] of photos) {
        tidy();
        // A retry after a lost response sends the same photo.
        if (kept.has(id)) continue;
        // A file that is no picture gets a type with which browsers do not show it.
        const type = pictureType(bytes) ?? 'application/octet-stream';
        kept.set(id, { bytes, type, until: clock.now() + KEPT_MS, address });
        total += bytes.byteLength;
      }
      tidy();
    },
    get(id: string): Photo | undefined {
      tidy();
      return kept.get(id);
    },
    erase(person: string): void {
      for (const id of kept.keys()) if (id.startsWith(photosOf(person))) drop(id);
    },
    stop: () => cancel?.(),
  };
}

export type PlaygroundPhotos = ReturnType<typeof createPlaygroundPhotos>;
