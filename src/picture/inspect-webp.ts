import { createTally } from './limits.ts';
import { PictureRefused } from './refused.ts';
import type { ByteRange, Structure } from './structure.ts';

/** `RIFF`, length, `WEBP`, then chunks: name (4), length (4), data, and a zero where the length is odd. */
const AFTER_SIGNATURE = 12;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size in a chunk; undefined: it has none. */
function sizeIn(bytes: Buffer, name: string, at: number): Size | undefined {
  if (name === 'VP8X')
    return { width: bytes.readUIntLE(at + 4, 3) + 1, height: bytes.readUIntLE(at + 7, 3) + 1 };
  if (name === 'ANMF')
    return { width: bytes.readUIntLE(at + 6, 3) + 1, height: bytes.readUIntLE(at + 9, 3) + 1 };
  if (name === 'VP8 ')
    return { width: bytes.readUInt16LE(at + 6) & 0x3fff, height: bytes.readUInt16LE(at + 8) & 0x3fff };
  if (name !== 'VP8L') return undefined;
  const bits = bytes.readUInt32LE(at + 1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
}

/** Bytes of a chunk's data that hold its size. */
const SIZE_BYTES = 12;

export function inspectWebp(bytes: Buffer): Structure {
  const exif: ByteRange[] = [];
  let size: Size | undefined;
  const tally = createTally();

  for (let at = AFTER_SIGNATURE; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const from = at + 8;
    const length = bytes.readUInt32LE(at + 4);
    tally('webpChunks');
    if (name === 'ANMF') tally('webpFrames');
    if (name === 'ICCP') tally('profileBytes', length);
    if (name === 'EXIF' && from + length <= bytes.length) exif.push({ from, to: from + length });

    const found = from + SIZE_BYTES <= bytes.length ? sizeIn(bytes, name, from) : undefined;
    // The first size is that of the canvas; nothing after it may be larger.
    size ??= found;
    if (size !== undefined && found !== undefined && (found.width > size.width || found.height > size.height))
      throw new PictureRefused('broken', 'larger than its canvas');
    at = from + length + (length & 1);
  }
  return { width: size?.width ?? 0, height: size?.height ?? 0, exif, isWhole: true };
}
