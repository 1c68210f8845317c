/**
 * Pictures made to cost their reader more than they cost their sender, written by hand: small files that ask for much
 * work or memory. Nothing here needs a picture library, and the same call always gives the same bytes.
 */
import { crc32, deflateSync } from 'node:zlib';

/** Width and height, in pixels, that a picture says it has. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const bytesOf = (...values: readonly number[]): Buffer => Buffer.from(values);
const uint16 = (value: number): Buffer => bytesOf(value >> 8, value & 255);
const uint32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
};

// JPEG

const jpegSegment = (marker: number, data: Uint8Array): Buffer =>
  Buffer.concat([bytesOf(0xff, marker), uint16(data.length + 2), data]);

/** Codes written bit by bit, with a zero after each 0xff as JPEG demands, and ones up to the next whole byte. */
const entropyCoded = (code: string, times: number): Buffer => {
  const bits = code.repeat(times);
  const bytes: number[] = [];
  for (let at = 0; at < bits.length; at += 8) {
    const byte = Number.parseInt(bits.slice(at, at + 8).padEnd(8, '1'), 2);
    bytes.push(byte);
    if (byte === 0xff) bytes.push(0);
  }
  return Buffer.from(bytes);
};

/** A Huffman table of one symbol, whose code is a single zero. */
const oneSymbol = (tableClass: 'dc' | 'ac', symbol: number): Buffer =>
  jpegSegment(0xc4, bytesOf(tableClass === 'dc' ? 0x00 : 0x10, 1, ...Array(15).fill(0), symbol));

const blocksOf = ({ width, height }: Size): number => Math.ceil(width / 8) * Math.ceil(height / 8);
const grayFrame = (marker: number, { width, height }: Size): Buffer =>
  jpegSegment(marker, Buffer.concat([bytesOf(8), uint16(height), uint16(width), bytesOf(1, 1, 0x11, 0)]));
const scanHeader = (from: number, to: number): Buffer => jpegSegment(0xda, bytesOf(1, 1, 0x00, from, to, 0));
const quantization = jpegSegment(0xdb, Buffer.concat([bytesOf(0), Buffer.alloc(64, 1)]));
const startOfImage = bytesOf(0xff, 0xd8);
const endOfImage = bytesOf(0xff, 0xd9);

/** Baseline (0xc0) or progressive (0xc2); `before` stands in front of everything else. */
const jpegOf = (
  frame: 0xc0 | 0xc2,
  size: Size,
  scans: readonly Buffer[],
  { before = Buffer.alloc(0) as Uint8Array, symbol = 0 } = {},
): Buffer => {
  const tables = [quantization, grayFrame(frame, size), oneSymbol('dc', 0), oneSymbol('ac', symbol)];
  return Buffer.concat([startOfImage, before, ...tables, ...scans, endOfImage]);
};

/** Gray, flat. */
export const plainJpeg = (size: Size, before?: Uint8Array): Buffer =>
  jpegOf(0xc0, size, [scanHeader(0, 63), entropyCoded('00', blocksOf(size))], before && { before });

/** Progressive: one scan with the picture, then `scans` that say of all blocks that nothing changes. */
export const manyScansJpeg = (size: Size, scans: number): Buffer => {
  const blocks = blocksOf(size);
  // "The end of this and of the next 32766 blocks": the symbol's code, then 14 bits of run length.
  const nothing = entropyCoded(`0${'1'.repeat(14)}`, Math.ceil(blocks / 32_767));
  const scan = Buffer.concat([scanHeader(1, 63), nothing]);
  const picture = [scanHeader(0, 0), entropyCoded('0', blocks)];
  return jpegOf(0xc2, size, [...picture, ...Array<Buffer>(scans).fill(scan)], { symbol: 0xe0 });
};

/** Scans whose data is not there at all. */
export const emptyScansJpeg = (size: Size, scans: number): Buffer =>
  jpegOf(0xc2, size, Array<Buffer>(scans).fill(scanHeader(1, 63)));

/** A progressive scan of nothing but 0xff, each with `after` behind it: a reader who looks for markers stops at each. */
export const stuffedJpeg = (size: Size, length: number, after = 0): Buffer =>
  Buffer.concat([
    manyScansJpeg(size, 0).subarray(0, -endOfImage.length),
    Buffer.alloc(length, bytesOf(0xff, after)),
    endOfImage,
  ]);

/** `count` application segments (APP1 unless told otherwise) of `length` bytes each. */
export const manySegmentsJpeg = (size: Size, count: number, length: number, marker = 0xe1): Buffer =>
  plainJpeg(size, Buffer.concat(Array<Buffer>(count).fill(jpegSegment(marker, Buffer.alloc(length, 'x')))));

/** A colour profile in as many pieces as it needs. */
export const profiledJpeg = (size: Size, profile: Uint8Array): Buffer => {
  const piece = 65_000;
  const count = Math.ceil(profile.length / piece);
  const segments = Array.from({ length: count }, (_, index) =>
    jpegSegment(
      0xe2,
      Buffer.concat([
        Buffer.from('ICC_PROFILE\0', 'latin1'),
        bytesOf((index + 1) & 255, count & 255),
        profile.subarray(index * piece, (index + 1) * piece),
      ]),
    ),
  );
  return plainJpeg(size, Buffer.concat(segments));
};

/** An EXIF block whose directories point at themselves and at one another, as many as fit. */
export const exifMazeJpeg = (size: Size): Buffer => {
  const entries = 5_000;
  const directory = Buffer.alloc(8 + 2 + entries * 12 + 4);
  directory.write('II*\0', 0, 'latin1');
  directory.writeUInt32LE(8, 4);
  directory.writeUInt16LE(entries, 8);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = 10 + entry * 12;
    directory.writeUInt16LE([0x8769, 0x8825, 0xa005][entry % 3] ?? 0, at);
    directory.writeUInt16LE(4, at + 2);
    directory.writeUInt32LE(1, at + 4);
    directory.writeUInt32LE(8, at + 8);
  }
  directory.writeUInt32LE(8, directory.length - 4);
  return plainJpeg(size, jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), directory])));
};

/** Says that it is large and has next to no data. */
export const hollowJpeg = (size: Size): Buffer => jpegOf(0xc0, size, [scanHeader(0, 63)]);

// PNG

const pngSignature = bytesOf(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** A chunk of a PNG file, with its length and its checksum. */
export const pngChunk = (name: string, data: Uint8Array = Buffer.alloc(0)): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))]);
};

/** The shape of a PNG file. */
export interface PngOptions extends Size {
  /** Bits of each of its channels. */
  readonly depth?: 1 | 8 | 16;
  readonly channels?: 1 | 3 | 4;
  readonly interlaced?: boolean;
  /** Chunks between the header and the pixels. */
  readonly before?: Uint8Array;
  /** How many bytes of compressed pixels stand in one chunk; 0: all of them in one. */
  readonly piece?: number;
  /** The bytes that stand in the place of the pixels. */
  readonly pixels?: Uint8Array;
}

/** Each of the seven passes of an interlaced picture: first column and row, and the steps between them. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const rawLength = ({ width, height, depth = 8, channels = 1, interlaced = false }: PngOptions): number => {
  const rows = (columns: number, count: number): number =>
    columns === 0 ? 0 : count * (1 + Math.ceil((columns * depth * channels) / 8));
  if (!interlaced) return rows(width, height);
  return passes
    .map(([left, top, across, down]) =>
      rows(Math.max(0, Math.ceil((width - left) / across)), Math.max(0, Math.ceil((height - top) / down))),
    )
    .reduce((sum, length) => sum + length, 0);
};

const colourTypes = { 1: 0, 3: 2, 4: 6 } as const;

/** Black. */
export const plainPng = (options: PngOptions): Buffer => {
  const { width, height, depth = 8, channels = 1, interlaced = false, piece = 0 } = options;
  const pixels = options.pixels ?? deflateSync(Buffer.alloc(rawLength(options)), { level: 1 });
  const step = piece === 0 ? pixels.length : piece;
  const pieces: Buffer[] = [];
  for (let at = 0; at < pixels.length; at += step)
    pieces.push(pngChunk('IDAT', pixels.subarray(at, at + step)));
  const header = [
    uint32(width),
    uint32(height),
    bytesOf(depth, colourTypes[channels], 0, 0, Number(interlaced)),
  ];
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', Buffer.concat(header)),
    options.before ?? Buffer.alloc(0),
    ...pieces,
    pngChunk('IEND'),
  ]);
};

/** A PNG with so many empty chunks before its pixels. */
export const manyChunksPng = (size: Size, count: number, name = 'teSt'): Buffer =>
  plainPng({ ...size, before: Buffer.concat(Array<Buffer>(count).fill(pngChunk(name))) });

/** Says that it has two frames, of which readers that know no animation show the first one. */
export const animatedPng = (size: Size): Buffer =>
  plainPng({ ...size, before: pngChunk('acTL', Buffer.concat([uint32(2), uint32(0)])) });

/** A chunk of text or a colour profile that is `length` zeros when it is unpacked. */
export const inflatingPng = (size: Size, name: 'zTXt' | 'iTXt' | 'iCCP', length: number): Buffer => {
  const packed = deflateSync(Buffer.alloc(length), { level: 9 });
  const head = name === 'iTXt' ? 'Comment\0\x01\0\0\0' : 'Comment\0\0';
  return plainPng({
    ...size,
    before: pngChunk(name, Buffer.concat([Buffer.from(head, 'latin1'), packed])),
  });
};

/** Says that it is large and has the pixels of a small one. */
export const hollowPng = (size: Size): Buffer => plainPng({ ...size, pixels: deflateSync(Buffer.alloc(64)) });

// WebP

const webpChunk = (name: string, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
};

const webpFile = (...chunks: readonly Uint8Array[]): Buffer =>
  webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]));

const uint24 = (value: number): Buffer => bytesOf(value & 255, (value >> 8) & 255, (value >> 16) & 255);
const canvas = ({ width, height }: Size, flags: number): Buffer =>
  webpChunk('VP8X', Buffer.concat([bytesOf(flags, 0, 0, 0), uint24(width - 1), uint24(height - 1)]));

/** Lossless, one colour, whose code has no bits: a picture of any size in 13 bytes. */
const oneColour = ({ width, height }: Size): Buffer => {
  const bits = (width - 1) | ((height - 1) << 14) | (1 << 28);
  const data = Buffer.alloc(13);
  data[0] = 0x2f;
  data.writeInt32LE(bits, 1);
  data.set([0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xfe, 0x07], 5);
  return webpChunk('VP8L', data);
};

/** A WebP of one colour, which says that it has this size. */
export const plainWebp = (size: Size): Buffer => webpFile(oneColour(size));

/** An animation of `frames` frames, each of one pixel unless told otherwise. */
export const animatedWebp = (size: Size, frames: number, frame: Size = { width: 1, height: 1 }): Buffer => {
  const placed = [0, 0, frame.width - 1, frame.height - 1, 40].map(uint24);
  const anmf = webpChunk('ANMF', Buffer.concat([...placed, bytesOf(0), oneColour(frame)]));
  return webpFile(
    canvas(size, 0b10),
    webpChunk('ANIM', Buffer.alloc(6)),
    ...Array<Buffer>(frames).fill(anmf),
  );
};

/** A WebP with so many empty chunks after its picture. */
export const manyChunksWebp = (size: Size, count: number): Buffer =>
  webpFile(
    canvas(size, 0),
    oneColour(size),
    ...Array<Buffer>(count).fill(webpChunk('teSt', Buffer.alloc(0))),
  );

/** A WebP with this colour profile. */
export const profiledWebp = (size: Size, profile: Uint8Array): Buffer =>
  webpFile(canvas(size, 0b100000), webpChunk('ICCP', profile), oneColour(size));

/** A canvas of one size with a picture of another on it. */
export const mismatchedWebp = (outer: Size, inner: Size): Buffer =>
  webpFile(canvas(outer, 0), oneColour(inner));

// Any of them

/** The first part of a file. */
export const truncated = (bytes: Buffer, share = 0.5): Buffer =>
  bytes.subarray(0, Math.floor(bytes.length * share));

/** A picture that is something else, too, for a reader who looks at the end or in the middle of it. */
export const polyglot = (bytes: Buffer, other: Uint8Array): Buffer => Buffer.concat([bytes, other]);
