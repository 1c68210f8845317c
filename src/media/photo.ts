import sharp from 'sharp';
import { pixels, pixelsOf } from './pixels.ts';
import { otherFormat, type PhotoType, photoType } from './sniff.ts';

export const maxPhotoBytes = 20 * 1024 * 1024;
export const maxPhotoPixels = 40_000_000;
/** Far above any size the service makes; keeps the upload small. */
const longestSide = 4096;

// Only these decoders exist for this process: a picture in disguise meets no other code.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});

/** Why a photo cannot be used; the words for it are chosen by language elsewhere. */
export class PhotoRejected extends Error {
  override readonly name = 'PhotoRejected';
  readonly reason: 'format' | 'bytes' | 'pixels' | 'broken';
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
  readonly type: PhotoType;
}

/**
 * Upright, without EXIF, location or any other metadata, within bounds: fit to leave the process. `signal`: nobody waits
 * for it any more, so that it gives its turn away.
 */
export const cleanPhoto = async (bytes: Uint8Array, signal?: AbortSignal): Promise<CleanPhoto> => {
  if (bytes.byteLength > maxPhotoBytes) throw new PhotoRejected('bytes');
  if (photoType(bytes) === undefined) throw new PhotoRejected('format', otherFormat(bytes));

  const input = sharp(bytes, { limitInputPixels: maxPhotoPixels, failOn: 'error' });
  const { width, height } = await pixels(() => input.metadata()).catch(rejectedBy);
  if (width * height > maxPhotoPixels) throw new PhotoRejected('pixels');

  const upright = await pixelsOf(width * height)(async () => {
    signal?.throwIfAborted();
    return input
      .autoOrient()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
      .timeout({ seconds: 30 })
      .toBuffer()
      .catch(rejectedBy);
  });
  return { bytes: upright, type: 'image/jpeg' };
};

const rejectedBy = (error: unknown): never => {
  const pixelLimit = error instanceof Error && error.message.includes('pixel limit');
  throw new PhotoRejected(pixelLimit ? 'pixels' : 'broken');
};
