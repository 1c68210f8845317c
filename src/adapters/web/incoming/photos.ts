import type { Clock } from '../../../base/clock.ts';
import { ofHeaviest } from '../visitors/heaviest.ts';

export interface Photo {
  readonly bytes: Uint8Array;
  readonly type: string;
}

/** Uploaded photos: only in memory, for an hour, never on disk. */
export interface Photos {
  put(id: string, bytes: Uint8Array, visitor: string): void;
  get(id: string): Photo | undefined;
  drop(id: string): void;
}

const keptMs = 3_600_000;
const mostPhotos = 200;
const mostBytes = 256 * 1024 * 1024;

const starts = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(text.length, bytes.byteLength - at)).toString(
    'latin1',
  ) === text;

/** From the bytes, not from the sender's claim: anything else is not served as an image. */
const typeOf = (bytes: Uint8Array): string => {
  if (starts(bytes, '\xff\xd8\xff')) return 'image/jpeg';
  if (starts(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (bytes.byteLength > 12 && starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) return 'image/webp';
  return 'application/octet-stream';
};

export const createPhotos = (clock: Clock): Photos => {
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
    while (total > mostBytes || kept.size > mostPhotos) {
      const oldest = oldestOfMost();
      if (oldest === undefined) return;
      drop(oldest);
    }
  };
  return {
    put(id, bytes, visitor) {
      tidy();
      // Sent again after a lost response: the same photo.
      if (kept.has(id)) return;
      kept.set(id, { bytes, type: typeOf(bytes), until: clock.now() + keptMs, visitor });
      total += bytes.byteLength;
      tidy();
    },
    get(id) {
      tidy();
      return kept.get(id);
    },
    drop,
  };
};
