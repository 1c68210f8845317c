import type { Conversion } from '../picture/conversion.ts';
import type { Decoder } from '../picture/decoder.ts';
import { PictureRefused } from '../picture/refused.ts';
import { otherFormat } from './sniff.ts';

export const maxPhotoBytes = 20 * 1024 * 1024;

const clean: Conversion = {
  maxPixels: 40_000_000,
  failOn: 'error',
  // Far above any size the service makes; keeps the upload small.
  longestSide: 4096,
  to: { format: 'jpeg', quality: 92 },
};

/** Why a photo cannot be used, now or later; the words for it are chosen by language elsewhere. */
export class PhotoRejected extends Error {
  override readonly name = 'PhotoRejected';
  readonly reason: PictureRefused['reason'] | 'bytes';
  /** The format's everyday name, if it was recognised. */
  readonly format: string | undefined;

  constructor(reason: PhotoRejected['reason'], format?: string) {
    super(`photo rejected: ${reason}${format === undefined ? '' : ` (${format})`}`);
    this.reason = reason;
    this.format = format;
  }
}

export interface CleanPhoto {
  readonly bytes: Buffer;
  readonly type: 'image/jpeg';
}

/**
 * Upright, without EXIF, location or any other metadata, within bounds: fit to leave the process. `person`: whose it is;
 * `signal`: nobody waits for it any more, so that it gives its turn away.
 */
export const cleanPhoto = async (
  bytes: Uint8Array,
  decoder: Decoder,
  person: string,
  signal?: AbortSignal,
): Promise<CleanPhoto> => {
  if (bytes.byteLength > maxPhotoBytes) throw new PhotoRejected('bytes');
  try {
    return { bytes: await decoder.convert(bytes, clean, person, signal), type: 'image/jpeg' };
  } catch (error) {
    if (!(error instanceof PictureRefused)) throw error;
    throw new PhotoRejected(error.reason, error.reason === 'format' ? otherFormat(bytes) : undefined);
  }
};
