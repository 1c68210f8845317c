import type { Area } from '../base/area.ts';
import { defined } from '../base/defined.ts';
import type { Conversion } from '../picture/conversion.ts';
import type { Decoder } from '../picture/decoder.ts';
import { PictureRefused } from '../picture/structure.ts';
import { unsupportedFormat } from './sniff.ts';

/** Cleans photos from people: upright, without metadata, within the size limits. */

/** Size limit of a photo from a person. */
export const MAX_PHOTO_BYTES = 20 * 1024 * 1024;

export const MAX_PHOTO_PIXELS = 40_000_000;
/** The least side of a part that is cut from a photo for one person. */
export const LEAST_SIDE = 512;

const CLEAN: Conversion = {
  maxPixels: MAX_PHOTO_PIXELS,
  failOn: 'error',
  // Far above any size that the service makes; keeps the upload small.
  longestSide: 4096,
  leastSide: LEAST_SIDE,
  to: { format: 'jpeg', quality: 92 },
};

/** Thrown for a photo that can never be used. */
export class PhotoRejected extends Error {
  override readonly name = 'PhotoRejected';
  readonly reason: PictureRefused['reason'] | 'bytes';
  /** The name of an unsupported format, if recognised. */
  readonly format: string | undefined;

  constructor(reason: PhotoRejected['reason'], format?: string) {
    super(`photo rejected: ${reason}${format === undefined ? '' : ` (${format})`}`);
    this.reason = reason;
    this.format = format;
  }
}

/** Sizes and qualities of a saved face; the first one that fits is used. */
const FACE: readonly Partial<Conversion>[] = [
  [1600, 88],
  [1200, 82],
  [1024, 75],
  [768, 65],
].map(([longestSide = 0, quality = 0]) => ({ longestSide, to: { format: 'jpeg', quality } }));

/** Re-encodes a photo upright, without EXIF, location or other metadata, and within the size limits. */
export async function cleanPhoto(
  bytes: Uint8Array,
  decoder: Decoder,
  person: string,
  signal?: AbortSignal,
  how: Partial<Conversion> = {},
) {
  if (bytes.byteLength > MAX_PHOTO_BYTES) throw new PhotoRejected('bytes');
  try {
    const clean = await decoder.convert(bytes, { ...CLEAN, ...how }, person, signal);
    return { bytes: clean, type: 'image/jpeg' } as const;
  } catch (error) {
    if (!(error instanceof PictureRefused)) throw error;
    throw new PhotoRejected(error.reason, error.reason === 'format' ? unsupportedFormat(bytes) : undefined);
  }
}

/** Like `cleanPhoto`, for a photo that is saved, with at most `mostBytes`. */
export async function cleanFace(
  bytes: Uint8Array,
  mostBytes: number,
  decoder: Decoder,
  person: string,
  signal: AbortSignal,
  part?: Area,
): Promise<Buffer> {
  let smaller = bytes;
  for (const how of FACE) {
    const first = smaller === bytes ? defined({ part }) : {};
    const clean = await cleanPhoto(smaller, decoder, person, signal, { ...how, ...first });
    if (clean.bytes.byteLength <= mostBytes) return clean.bytes;
    smaller = clean.bytes;
  }
  throw new PhotoRejected('too-complex');
}
