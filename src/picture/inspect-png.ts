import { checkLimit, createTally } from './limits.ts';
import { PictureRefused } from './refused.ts';
import type { ByteRange, Structure } from './structure.ts';

/** Signature (8), then chunks: length (4), name (4), data, checksum (4). */
const AFTER_SIGNATURE = 8;
const AROUND = 12;
const HEADER_LENGTH = 13;
/** Numbers, so that a file of millions of chunks makes no strings. */
const NAMES = {
  IHDR: 0x49484452,
  IDAT: 0x49444154,
  IEND: 0x49454e44,
  iCCP: 0x69434350,
  zTXt: 0x7a545874,
  iTXt: 0x69545874,
  eXIf: 0x65584966,
} as const;
/** By colour type; a palette becomes four channels. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 };

function header(bytes: Buffer): { width: number; height: number } {
  const at = AFTER_SIGNATURE;
  const isThere =
    bytes.length >= at + AROUND + HEADER_LENGTH &&
    bytes.readUInt32BE(at) === HEADER_LENGTH &&
    bytes.readUInt32BE(at + 4) === NAMES.IHDR;
  if (!isThere) throw new PictureRefused('broken', 'no header');
  const [width, height] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
  const [depth = 8, colour = 6, , , interlace = 0] = bytes.subarray(at + 16, at + 21);
  if (interlace !== 0)
    checkLimit('bufferedBytes', width * height * (CHANNELS[colour] ?? 4) * Math.ceil(depth / 8));
  return { width, height };
}

export function inspectPng(bytes: Buffer): Structure {
  const size = header(bytes);
  const exif: ByteRange[] = [];
  const tally = createTally();
  let hasPixels = false;

  for (let at = AFTER_SIGNATURE; at + AROUND <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.readUInt32BE(at + 4);
    tally('pngChunks');
    if (name === NAMES.IEND) return { ...size, exif, isWhole: hasPixels };
    if (name === NAMES.IDAT) hasPixels ||= length > 0;
    if (name === NAMES.iCCP) tally('profileBytes', length);
    if (name === NAMES.zTXt || name === NAMES.iTXt) tally('packedTextBytes', length);
    if (name === NAMES.eXIf && at + AROUND + length <= bytes.length)
      exif.push({ from: at + 8, to: at + 8 + length });
    at += AROUND + length;
  }
  return { ...size, exif, isWhole: false };
}
