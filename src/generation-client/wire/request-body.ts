import { randomUUID } from 'node:crypto';

/** A photo on its way into a JSON body. A class, so that it cannot be confused with anything a caller sends. */
export class WirePhoto {
  readonly prefix: string;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, prefix = '') {
    this.bytes = bytes;
    this.prefix = prefix;
  }
}

/** A JSON body that is made while it is sent. */
export type RequestBody = {
  readonly length: number;
  /** The body from its beginning, each time it is asked for. */
  pieces: () => Iterable<Buffer>;
  /** Drops the photos: after that it cannot be sent again. */
  release: () => void;
  /** Whether `pieces` can still be asked for. */
  readonly isWhole: boolean;
};

/** Bytes encoded at a time: a multiple of 3, so that the pieces join without padding between. */
const pieceBytes = 96 * 1024;

/**
 * JSON whose photos are written as base64 piece by piece, as the connection takes them: beside the photo itself no more
 * than one piece is in memory.
 */
export function encodeBody(fields: Record<string, unknown>): RequestBody {
  let photos: WirePhoto[] = [];
  // Random, so that no text of a user can stand for a photo.
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
  for (let from = 0; from < source.length; from += pieceBytes) {
    yield Buffer.from(source.toString('base64', from, from + pieceBytes), 'latin1');
  }
  yield Buffer.from('"', 'latin1');
}
