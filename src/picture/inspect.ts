import { type PictureType, pictureType } from '../base/picture-type.ts';
import { inspectJpeg } from './inspect-jpeg.ts';
import { inspectPng } from './inspect-png.ts';
import { inspectWebp } from './inspect-webp.ts';
import { PictureRefused } from './refused.ts';
import type { Structure } from './structure.ts';

export interface Inspected extends Structure {
  readonly type: PictureType;
}

/** JPEG's maximum; a PNG of a million rows of one pixel would cost far more than its pixels suggest. */
const MAX_SIDE = 65_535;

const inspectors: Readonly<Record<PictureType, (bytes: Buffer) => Structure>> = {
  'image/jpeg': inspectJpeg,
  'image/png': inspectPng,
  'image/webp': inspectWebp,
};

/**
 * Reads the structure of a file in one pass without decoding. Throws PictureRefused for what would cost a decoder far more
 * than its size suggests: thousands of scans, chunks, frames or segments.
 */
export function inspectPicture(bytes: Uint8Array, maxPixels: number): Inspected {
  const type = pictureType(bytes);
  if (type === undefined) throw new PictureRefused('format');
  const structure = inspectors[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const { width, height } = structure;
  if (width === 0 || height === 0) throw new PictureRefused('broken', 'no size');
  if (width * height > maxPixels || Math.max(width, height) > MAX_SIDE) throw new PictureRefused('pixels');
  return { type, ...structure };
}
