import { randomUUID } from 'node:crypto';

/** A photo in a JSON body. It is a class, so that no value from a user can pass for one. */
export class WirePhoto {
  readonly prefix: string;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, prefix = '') {
    this.bytes = bytes;
    this.prefix = prefix;
  }
}

/** A JSON body that is encoded while it is sent. */
export interface RequestBody {
  readonly length: number;
  /** Encodes the body from its beginning at each call. */
  pieces: () => Iterable<Buffer>;
  /** Releases the photos; the body cannot be sent again after that. */
  release: () => void;
  /** Whether `pieces` can still be called. */
  readonly isWhole: boolean;
}

/** Bytes encoded at once; a multiple of 3, so that base64 pieces join without padding. */
const PIECE_BYTES = 96 * 1024;

/**
 * Encodes a body with photos as base64, piece by piece as the connection takes them, so that no whole base64 text is in memory.
 */
export function encodeBody(fields: Record<string, unknown>): RequestBody {
  let photos: WirePhoto[] = [];
  // The placeholder is random, so that no text of a user can pass for a photo.
  const marker = randomUUID();
  const text = JSON.stringify(fields, (_, value: unknown) => {
    if (!(value instanceof WirePhoto)) return value;
    photos.push(value);
    return marker;
  });
  const parts = text.split(`"${marker}"`).map((part) => Buffer.from(part));
  const length = sum(parts.map((part) => part.length)) + sum(photos.map(wireLength));
  let isWhole = true;

  return {
    length,
    *pieces() {
      if (!isWhole) throw new Error('The photos of this request were already released.');
      for (const [index, part] of parts.entries()) {
        yield part;
        const photo = photos[index];
        if (photo !== undefined) yield* photoPieces(photo);
      }
    },
    release() {
      isWhole = photos.length === 0;
      photos = [];
    },
    get isWhole() {
      return isWhole;
    },
  };
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

const wireLength = ({ prefix, bytes }: WirePhoto): number =>
  prefix.length + 2 + Math.ceil(bytes.length / 3) * 4;

function* photoPieces({ prefix, bytes }: WirePhoto): Iterable<Buffer> {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  yield Buffer.from(`"${prefix}`, 'latin1');
  for (let from = 0; from < source.length; from += PIECE_BYTES) {
    yield Buffer.from(source.toString('base64', from, from + PIECE_BYTES), 'latin1');
  }
  yield Buffer.from('"', 'latin1');
}
