/** What can be known of a picture file without decoding it, and the limits of that. */

/**
 * Thrown for a picture that is refused without or during decoding. `format`: not JPEG, PNG or WebP; `pixels`: too many;
 * `broken`: unreadable; `too-complex`: decoding costs far more than an ordinary picture of its size.
 */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';
  readonly reason: 'format' | 'pixels' | 'broken' | 'too-complex';

  constructor(reason: PictureRefused['reason'], detail?: string) {
    super(`picture refused: ${reason}${detail === undefined ? '' : ` (${detail})`}`);
    this.reason = reason;
  }
}

/** Limits of structures that multiply the work of a decoder without a larger picture; ordinary files stay far below. */
const LIMITS = {
  /** Encoders write about ten scans; each one passes over the whole picture. */
  jpegScans: 64,
  /** 20 MB of metadata in segments of 64 KB are 320 segments. */
  jpegSegments: 1_024,
  /** Bytes that look like a marker. In compressed data one in 256 does, which is 80,000 in 20 MB. */
  jpegStops: 500_000,
  /** libpng writes pixels in chunks of 8 KB; some encoders write a chunk for each row. */
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

/** Counts the structures of one file against the limits. */
export function createStructureCount() {
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

/** Properties of a picture file that are known without decoding it. */
export interface Structure {
  readonly width: number;
  readonly height: number;
  /** The positions of EXIF data. */
  readonly exif: readonly ByteRange[];
  /** Whether the file is complete; checked only for PNG. */
  readonly isWhole: boolean;
  /** Whether it has several frames, of which our decoders read the first one alone. */
  readonly isAnimated: boolean;
}
