import { type PictureType, pictureType } from '../base/picture-type.ts';
import {
  type ByteRange,
  checkLimit,
  createStructureCount,
  PictureRefused,
  type Structure,
} from './structure.ts';

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const APP1 = 0xe1;
const APP2 = 0xe2;

/** Whether a JPEG marker has no length: stuffed zeros, TEM, restarts and SOI. */
const isBare = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Whether a JPEG marker begins a frame: SOF0 to SOF15, except DHT, JPG and DAC. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const isProgressive = (marker: number): boolean => (marker & 0x03) === 2;

/** Inspects a JPEG, from marker to marker like libjpeg: bytes between two segments are skipped. */
function inspectJpeg(bytes: Buffer): Structure {
  let frame: { marker: number; width: number; height: number; components: number } | undefined;
  const tally = createStructureCount();
  const exif: ByteRange[] = [];

  for (let at = 2; at < bytes.length; ) {
    at = bytes.indexOf(0xff, at);
    if (at === -1) break;
    for (; bytes[at] === 0xff; at += 1) tally('jpegStops');
    const marker = bytes[at];
    at += 1;
    if (marker === undefined || marker === END_OF_IMAGE) break;
    if (isBare(marker)) continue;
    if (at + 2 > bytes.length) break;
    const from = at + 2;
    const to = Math.min(bytes.length, at + bytes.readUInt16BE(at));
    if (to < from) throw new PictureRefused('broken', 'segment length');
    tally('jpegSegments');

    if (isFrame(marker)) {
      if (frame !== undefined || to - from < 6) throw new PictureRefused('broken', 'frame header');
      const height = bytes.readUInt16BE(from + 1);
      const width = bytes.readUInt16BE(from + 3);
      frame = { marker, width, height, components: bytes[from + 5] ?? 0 };
      if (isProgressive(marker)) checkLimit('bufferedBytes', width * height * frame.components * 2);
    } else if (marker === START_OF_SCAN) {
      if (frame === undefined) throw new PictureRefused('broken', 'scan without a frame');
      tally('jpegScans');
      // For a baseline frame with all components in one scan, decoders read no further.
      if (!isProgressive(frame.marker) && bytes[from] === frame.components) break;
    } else if (marker === APP1 && bytes.toString('latin1', from, from + 4) === 'Exif') {
      exif.push({ from, to });
    } else if (marker === APP2) tally('profileBytes', to - from);
    at = to;
  }
  return { width: frame?.width ?? 0, height: frame?.height ?? 0, exif, isWhole: true, isAnimated: false };
}

/** A PNG is a signature (8), then chunks: length (4), name (4), data, checksum (4). */
const PNG_START = 8;
const AROUND = 12;
const HEADER_LENGTH = 13;
/** Chunk names as numbers, so that a file of millions of chunks makes no strings. */
const PNG_NAMES = {
  IHDR: 0x49484452,
  IDAT: 0x49444154,
  IEND: 0x49454e44,
  acTL: 0x6163544c,
  iCCP: 0x69434350,
  zTXt: 0x7a545874,
  iTXt: 0x69545874,
  eXIf: 0x65584966,
} as const;
/** The number of channels by colour type; a palette becomes four channels. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 4, 4: 2, 6: 4 };

function pngSize(bytes: Buffer): Size {
  const at = PNG_START;
  const isThere =
    bytes.length >= at + AROUND + HEADER_LENGTH &&
    bytes.readUInt32BE(at) === HEADER_LENGTH &&
    bytes.readUInt32BE(at + 4) === PNG_NAMES.IHDR;
  if (!isThere) throw new PictureRefused('broken', 'no header');
  const width = bytes.readUInt32BE(at + 8);
  const height = bytes.readUInt32BE(at + 12);
  const [depth = 8, colour = 6, , , interlace = 0] = bytes.subarray(at + 16, at + 21);
  if (interlace !== 0)
    checkLimit('bufferedBytes', width * height * (CHANNELS[colour] ?? 4) * Math.ceil(depth / 8));
  return { width, height };
}

function inspectPng(bytes: Buffer): Structure {
  const size = pngSize(bytes);
  const exif: ByteRange[] = [];
  const tally = createStructureCount();
  let hasPixels = false;
  let isAnimated = false;

  for (let at = PNG_START; at + AROUND <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.readUInt32BE(at + 4);
    tally('pngChunks');
    if (name === PNG_NAMES.IEND) return { ...size, exif, isWhole: hasPixels, isAnimated };
    if (name === PNG_NAMES.IDAT) hasPixels ||= length > 0;
    if (name === PNG_NAMES.acTL) isAnimated = true;
    if (name === PNG_NAMES.iCCP) tally('profileBytes', length);
    if (name === PNG_NAMES.zTXt || name === PNG_NAMES.iTXt) tally('packedTextBytes', length);
    if (name === PNG_NAMES.eXIf && at + AROUND + length <= bytes.length)
      exif.push({ from: at + 8, to: at + 8 + length });
    at += AROUND + length;
  }
  return { ...size, exif, isWhole: false, isAnimated };
}

/** A WebP is `RIFF`, length, `WEBP`, then chunks: name (4), length (4), data, and a zero if the length is odd. */
const WEBP_START = 12;

type Size = Pick<Structure, 'width' | 'height'>;

/** The picture size in a WebP chunk; undefined if the chunk has none. */
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

function inspectWebp(bytes: Buffer): Structure {
  const exif: ByteRange[] = [];
  let size: Size | undefined;
  let isAnimated = false;
  const tally = createStructureCount();

  for (let at = WEBP_START; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const from = at + 8;
    const length = bytes.readUInt32LE(at + 4);
    tally('webpChunks');
    if (name === 'ANMF') {
      tally('webpFrames');
      isAnimated = true;
    }
    if (name === 'ICCP') tally('profileBytes', length);
    if (name === 'EXIF' && from + length <= bytes.length) exif.push({ from, to: from + length });

    const found = from + SIZE_BYTES <= bytes.length ? sizeIn(bytes, name, from) : undefined;
    // The first size is that of the canvas; no frame may be larger.
    size ??= found;
    if (size !== undefined && found !== undefined && (found.width > size.width || found.height > size.height))
      throw new PictureRefused('broken', 'larger than its canvas');
    at = from + length + (length & 1);
  }
  return { width: size?.width ?? 0, height: size?.height ?? 0, exif, isWhole: true, isAnimated };
}

export interface Inspected extends Structure {
  readonly type: PictureType;
}

/** The longest side, JPEG's maximum: a PNG of a million rows of one pixel would cost far more than its pixels suggest. */
const MAX_SIDE = 65_535;

const inspectors: Readonly<Record<PictureType, (bytes: Buffer) => Structure>> = {
  'image/jpeg': inspectJpeg,
  'image/png': inspectPng,
  'image/webp': inspectWebp,
};

/**
 * Reads the structure of a file in one pass without decoding. Throws `PictureRefused` for files that would cost a decoder far
 * more than their size suggests: thousands of scans, chunks, frames or segments.
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
