/**
 * A picture that is never decoded. `format`: not JPEG, PNG or WebP; `pixels`: too many; `broken`: unreadable;
 * `too-complex`: decoding costs far more than an ordinary picture of its size.
 */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';
  readonly reason: 'format' | 'pixels' | 'broken' | 'too-complex';

  constructor(reason: PictureRefused['reason'], detail?: string) {
    super(`picture refused: ${reason}${detail === undefined ? '' : ` (${detail})`}`);
    this.reason = reason;
  }
}

/** Each of these multiplies the work of a decoder without a larger picture; ordinary files stay far below. */
const LIMITS = {
  /** Encoders write about ten; each one passes over the whole picture. */
  jpegScans: 64,
  /** 20 MB of metadata in segments of 64 KB are 320. */
  jpegSegments: 1_024,
  /** Bytes that look like a marker. In compressed data one in 256 does, which is 80,000 in 20 MB. */
  jpegStops: 500_000,
  /** libpng writes pixels in pieces of 8 KB; some encoders write a piece for each row. */
  pngChunks: 20_000,
  /** Frames are searched from the first, so the work grows with the square of their number. */
  webpFrames: 1_000,
  webpChunks: 4_096,
  /** The largest print profiles have 3 MB. */
  profileBytes: 4 * 1024 * 1024,
  /** Compressed text in a PNG can expand a thousandfold. */
  packedTextBytes: 1024 * 1024,
  /** Interlaced and progressive pictures are buffered whole before the first row is known. */
  bufferedBytes: 256 * 1024 * 1024,
} as const;

type Limit = keyof typeof LIMITS;

export function checkLimit(limit: Limit, value: number): void {
  if (value > LIMITS[limit]) throw new PictureRefused('too-complex', limit);
}

/** Adds up what one file has of each. */
export function createTally() {
  const sums = new Map<Limit, number>();
  return (limit: Limit, more = 1): void => {
    const sum = (sums.get(limit) ?? 0) + more;
    sums.set(limit, sum);
    checkLimit(limit, sum);
  };
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** What is known of a file without decoding it. */
export interface Structure {
  readonly width: number;
  readonly height: number;
  /** The positions of EXIF data. */
  readonly exif: readonly ByteRange[];
  /** Whether the file is complete; checked only for PNG. */
  readonly isWhole: boolean;
}
