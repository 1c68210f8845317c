import { inspectJpeg } from './inspect-jpeg.ts';
import { inspectPng } from './inspect-png.ts';
import { inspectWebp } from './inspect-webp.ts';
import { PictureRefused } from './refused.ts';
import type { Structure } from './structure.ts';

export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp';

export interface Inspected extends Structure {
  readonly type: PictureType;
}

/** What JPEG can say at most; a PNG of a million rows of one pixel each costs much more than its pixels. */
const maxSide = 65_535;

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean => {
  for (let index = 0; index < text.length; index += 1)
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
};

/** By its first bytes: names and declared types are the sender's to invent. */
export const pictureType = (bytes: Uint8Array): PictureType | undefined => {
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return 'image/jpeg';
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'image/png';
  return startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP') ? 'image/webp' : undefined;
};

const inspectors: Readonly<Record<PictureType, (bytes: Buffer) => Structure>> = {
  'image/jpeg': inspectJpeg,
  'image/png': inspectPng,
  'image/webp': inspectWebp,
};

/**
 * Reads the structure of a file in one pass, decodes nothing, and throws PictureRefused for what would cost a decoder
 * more than the size of the picture tells: thousands of scans, chunks, frames or segments.
 */
export const inspectPicture = (bytes: Uint8Array, maxPixels: number): Inspected => {
  const type = pictureType(bytes);
  if (type === undefined) throw new PictureRefused('format');
  const structure = inspectors[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const { width, height } = structure;
  if (width === 0 || height === 0) throw new PictureRefused('broken', 'no size');
  if (width * height > maxPixels || Math.max(width, height) > maxSide) throw new PictureRefused('pixels');
  return { type, ...structure };
};
