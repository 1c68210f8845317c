import { within } from './limits.ts';
import { PictureRefused } from './refused.ts';
import type { Span, Structure } from './structure.ts';

/** Signature (8), then chunks: length (4), name (4), data, checksum (4). */
const afterSignature = 8;
const around = 12;
const headerLength = 13;
/** Numbers, so that a file of millions of chunks makes no strings. */
const names = {
  IHDR: 0x49484452,
  IDAT: 0x49444154,
  IEND: 0x49454e44,
  iCCP: 0x69434350,
  zTXt: 0x7a545874,
  iTXt: 0x69545874,
  eXIf: 0x65584966,
} as const;
/** By colour type; a palette becomes four channels. */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 };

const header = (bytes: Buffer): { width: number; height: number } => {
  const at = afterSignature;
  const isThere =
    bytes.length >= at + around + headerLength &&
    bytes.readUInt32BE(at) === headerLength &&
    bytes.readUInt32BE(at + 4) === names.IHDR;
  if (!isThere) throw new PictureRefused('broken', 'no header');
  const [width, height] = [bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12)];
  const [depth = 8, colour = 6, , , interlace = 0] = bytes.subarray(at + 16, at + 21);
  if (interlace !== 0)
    within('bufferedBytes', width * height * (channels[colour] ?? 4) * Math.ceil(depth / 8));
  return { width, height };
};

export const inspectPng = (bytes: Buffer): Structure => {
  const size = header(bytes);
  const exif: Span[] = [];
  let chunks = 0;
  let profileBytes = 0;
  let packedTextBytes = 0;
  let hasPixels = false;

  for (let at = afterSignature; at + around <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.readUInt32BE(at + 4);
    chunks += 1;
    within('pngChunks', chunks);
    if (name === names.IEND) return { ...size, exif, isWhole: hasPixels };
    if (name === names.IDAT) hasPixels ||= length > 0;
    if (name === names.iCCP) profileBytes += length;
    if (name === names.zTXt || name === names.iTXt) packedTextBytes += length;
    if (name === names.eXIf && at + around + length <= bytes.length)
      exif.push({ from: at + 8, to: at + 8 + length });
    within('profileBytes', profileBytes);
    within('packedTextBytes', packedTextBytes);
    at += around + length;
  }
  return { ...size, exif, isWhole: false };
};
