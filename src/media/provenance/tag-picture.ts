import { crc32 } from 'node:zlib';
import type { PictureType } from '../../base/picture-type.ts';
import { inspectPicture } from '../../picture/inspect.ts';
import { type ByteRange, PictureRefused } from '../../picture/structure.ts';
import { PROVENANCE_XMP } from './xmp.ts';

/** This file puts XMP into pictures without decoding them: each pixel stays as it was. XMP that a file had is replaced. */

const MAX_PIXELS = 100_000_000;

const xmp = Buffer.from(PROVENANCE_XMP);

/** The bytes without these ranges, with an insertion at a position that is in none of them. */
function withInsertion(bytes: Buffer, removed: readonly ByteRange[], at: number, insertion: Buffer): Buffer {
  const kept: Buffer[] = [];
  let from = 0;
  const keepUntil = (to: number): void => {
    kept.push(bytes.subarray(from, to));
    from = to;
  };
  for (const range of removed.filter((each) => each.to <= at)) {
    keepUntil(range.from);
    from = range.to;
  }
  keepUntil(at);
  kept.push(insertion);
  for (const range of removed.filter((each) => each.from >= at)) {
    keepUntil(range.from);
    from = range.to;
  }
  keepUntil(bytes.length);
  return Buffer.concat(kept);
}

/** The length of PNG signature (8) and IHDR chunk (4 + 4 + 13 + 4), after which another chunk may start. */
const AFTER_HEADER = 33;
/** A PNG chunk is its length (4), name (4), data and checksum (4). */
const AROUND_CHUNK = 12;
const PNG_KEYWORD = 'XML:com.adobe.xmp\0';
/** XMP belongs into the first kind of text; some libraries use the others. */
const PNG_TEXTS = ['iTXt', 'zTXt', 'tEXt'];

function tagPng(png: Buffer): Buffer {
  const removed: ByteRange[] = [];
  for (let at = AFTER_HEADER; at + AROUND_CHUNK <= png.length; ) {
    const to = at + AROUND_CHUNK + png.readUInt32BE(at);
    const beginning = png.toString('latin1', at + 4, at + 8 + PNG_KEYWORD.length);
    if (beginning.startsWith('IEND')) break;
    const isXmp = beginning.endsWith(PNG_KEYWORD) && PNG_TEXTS.includes(beginning.slice(0, 4));
    if (isXmp && to <= png.length) removed.push({ from: at, to });
    at = to;
  }
  const body = Buffer.concat([Buffer.from(`iTXt${PNG_KEYWORD}\0\0\0\0`, 'latin1'), xmp]);
  const chunk = Buffer.alloc(AROUND_CHUNK - 4 + body.length);
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), 4 + body.length);
  return withInsertion(png, removed, AFTER_HEADER, chunk);
}

const APP0 = 0xe0;
const APP1 = 0xe1;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;
const JPEG_NAMESPACE = 'http://ns.adobe.com/xap/1.0/\0';
/** XMP of more than 64 KB goes on in segments that begin with this. */
const JPEG_EXTENSION = 'http://ns.adobe.com/xmp/extension/\0';

/** Goes through the segments before the pixels: an application segment after them is read by nobody. */
function tagJpeg(jpeg: Buffer): Buffer {
  const removed: ByteRange[] = [];
  // JFIF and EXIF must remain the first segments.
  let insertAt = 2;
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff; ) {
    const marker = jpeg[at + 1] ?? 0;
    // A marker may be preceded by any number of these bytes.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) break;
    const to = at + 2 + jpeg.readUInt16BE(at + 2);
    const begins = (text: string): boolean => jpeg.toString('latin1', at + 4, at + 4 + text.length) === text;
    if (marker === APP1 && (begins(JPEG_NAMESPACE) || begins(JPEG_EXTENSION)) && to <= jpeg.length)
      removed.push({ from: at, to });
    else if ((marker === APP0 || (marker === APP1 && begins('Exif\0'))) && at === insertAt) insertAt = to;
    at = to;
  }
  const body = Buffer.concat([Buffer.from(JPEG_NAMESPACE, 'latin1'), xmp]);
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(2 + body.length, 2);
  return withInsertion(jpeg, removed, insertAt, Buffer.concat([head, body]));
}

/** A WebP is `RIFF`, length, `WEBP`, then chunks: name (4), length (4), data, and a zero if the length is odd. */
const WEBP_START = 12;
const HAS_XMP = 0x04;
const HAS_ALPHA = 0x10;

function webpChunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}

/** The header that a file with metadata needs; the simple formats have none. */
function webpHeader(webp: Buffer, { width, height }: { readonly width: number; readonly height: number }) {
  const data = Buffer.alloc(10);
  const isLossless = webp.toString('latin1', WEBP_START, WEBP_START + 4) === 'VP8L';
  // In the lossless format this bit says whether there is transparency.
  const hasAlpha = isLossless && ((webp[WEBP_START + 12] ?? 0) & 0x10) !== 0;
  data[0] = HAS_XMP | (hasAlpha ? HAS_ALPHA : 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}

function tagWebp(webp: Buffer, size: { readonly width: number; readonly height: number }): Buffer {
  const chunks: Buffer[] = [];
  for (let at = WEBP_START; at + 8 <= webp.length; ) {
    const length = webp.readUInt32LE(at + 4);
    if (at + 8 + length > webp.length) throw new PictureRefused('broken', 'ends within a chunk');
    const name = webp.toString('latin1', at, at + 4);
    if (name !== 'XMP ') chunks.push(webpChunk(name, webp.subarray(at + 8, at + 8 + length)));
    at += 8 + length + (length & 1);
  }
  const [first] = chunks;
  if (first?.toString('latin1', 0, 4) === 'VP8X') first[8] = (first[8] ?? 0) | HAS_XMP;
  else chunks.unshift(webpHeader(webp, size));
  chunks.push(webpChunk('XMP ', xmp));
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

const TAGS: Readonly<
  Record<PictureType, (bytes: Buffer, size: { readonly width: number; readonly height: number }) => Buffer>
> = {
  'image/png': tagPng,
  'image/jpeg': tagJpeg,
  'image/webp': tagWebp,
};

/** Marks a picture as AI-generated in the file itself. Throws `PictureRefused` for one that is broken or no picture. */
export function tagPicture(picture: Uint8Array): Buffer {
  const inspected = inspectPicture(picture, MAX_PIXELS);
  return TAGS[inspected.type](Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength), inspected);
}
