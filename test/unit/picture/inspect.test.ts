import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { inspectPicture } from '../../../src/picture/inspect.ts';
import { PictureRefused } from '../../../src/picture/structure.ts';
import * as hostile from '../../fakes/hostile-pictures.ts';

const most = 40_000_000;
const size = { width: 64, height: 48 };
const full = { width: 8000, height: 5000 };

const refusal = (bytes: Uint8Array): string => {
  try {
    inspectPicture(bytes, most);
  } catch (error) {
    if (error instanceof PictureRefused) return error.reason;
    throw error;
  }
  return 'none';
};

const noise = sharp({
  create: { ...size, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
});

const jpeg = hostile.plainJpeg(size);

const pngWith = (chunk: string, bytes: number): Buffer =>
  hostile.plainPng({ ...size, before: hostile.pngChunk(chunk, Buffer.alloc(bytes)) });

describe('an ordinary picture', () => {
  it.each<[name: string, picture: Sharp]>([
    ['a JPEG', noise.clone().jpeg()],
    ['a progressive JPEG', noise.clone().jpeg({ progressive: true })],
    ['a JPEG by mozjpeg', noise.clone().jpeg({ mozjpeg: true })],
    ['a CMYK JPEG', noise.clone().toColourspace('cmyk').jpeg()],
    ['a gray JPEG', noise.clone().grayscale().jpeg()],
    ['a JPEG with metadata', noise.clone().withMetadata({ orientation: 1 }).jpeg()],
    ['a PNG', noise.clone().png()],
    ['an interlaced PNG', noise.clone().png({ progressive: true })],
    ['a PNG of few colours', noise.clone().png({ palette: true })],
    ['a PNG with 16 bits', noise.clone().toColourspace('rgb16').png()],
    ['a PNG with metadata', noise.clone().withMetadata({ orientation: 1 }).png()],
    ['a WebP', noise.clone().webp()],
    ['a lossless WebP', noise.clone().webp({ lossless: true })],
    ['a WebP with metadata', noise.clone().withMetadata({ orientation: 1 }).webp()],
    ['a WebP with transparency', noise.clone().ensureAlpha(0.5).webp()],
  ])('an ordinary picture has a known size before it is decoded: %s', async (_, picture) => {
    const bytes = await picture.toBuffer();
    expect(inspectPicture(bytes, most)).toMatchObject({ ...size, isWhole: true, isAnimated: false });
  });

  it.each([
    { what: 'PNG', bytes: hostile.animatedPng(size) },
    { what: 'WebP', bytes: hostile.animatedWebp(size, 2) },
  ])('a picture with several frames is known as one: $what', ({ bytes }) => {
    expect(inspectPicture(bytes, most)).toMatchObject({ isWhole: true, isAnimated: true });
  });

  it.each<[name: string, bytes: Buffer]>([
    ['a JPEG', hostile.plainJpeg(full)],
    ['twelve scans', hostile.manyScansJpeg(full, 11)],
    ['a profile for printing', hostile.profiledJpeg(size, Buffer.alloc(3_000_000))],
    ['a megabyte of XMP in pieces', hostile.manySegmentsJpeg(size, 20, 60_000)],
    ['a chunk for each row', hostile.manyChunksPng(size, 8_000)],
    ['a hundred frames', hostile.animatedWebp(full, 100)],
    ['another picture behind it', hostile.polyglot(jpeg, hostile.manyScansJpeg(size, 100))],
  ])('an ordinary picture is not refused for %s', (_, bytes) => {
    expect(refusal(bytes)).toBe('none');
  });
});

describe('a picture that costs more to decode than its size suggests', () => {
  it.each<[name: string, bytes: Buffer]>([
    ['40,000 scans', hostile.manyScansJpeg({ width: 4000, height: 4000 }, 40_000)],
    ['scans without data', hostile.emptyScansJpeg({ width: 4000, height: 4000 }, 40_000)],
    ['stuffing', hostile.stuffedJpeg(size, 2_000_000)],
    ['fill bytes', hostile.stuffedJpeg(size, 2_000_000, 0xff)],
    ['segments', hostile.manySegmentsJpeg(size, 100_000, 10)],
    ['comments', hostile.manySegmentsJpeg(size, 100_000, 10, 0xfe)],
    ['a colour profile of 16 MB', hostile.profiledJpeg(size, Buffer.alloc(16_000_000))],
    ['chunks', hostile.manyChunksPng(size, 100_000)],
    ['chunks of no pixels', hostile.manyChunksPng(size, 100_000, 'IDAT')],
    ['chunks of one byte', hostile.plainPng({ width: 4000, height: 4000, piece: 1 })],
    ['text that unpacks to 2 GB', pngWith('zTXt', 2_000_000)],
    ['a packed profile of 5 MB', pngWith('iCCP', 5_000_000)],
    [
      'interlacing of 320 MB',
      hostile.plainPng({ ...full, channels: 4, depth: 16, interlaced: true, pixels: Buffer.alloc(9) }),
    ],
    ['frames', hostile.animatedWebp(size, 2_000)],
    ['chunks of a WebP', hostile.manyChunksWebp(size, 100_000)],
    ['a profile in a WebP', hostile.profiledWebp(size, Buffer.alloc(5_000_000))],
  ])('a picture that costs more to decode than its size suggests is refused: %s', (_, bytes) => {
    expect(refusal(bytes)).toBe('too-complex');
  });

  it.each<[name: string, bytes: Buffer]>([
    ['a JPEG', hostile.hollowJpeg({ width: 65_000, height: 65_000 })],
    ['a PNG', hostile.hollowPng({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 })],
    ['a PNG of a million rows', hostile.hollowPng({ width: 1, height: 1_000_000 })],
    ['a WebP', hostile.plainWebp({ width: 16_383, height: 16_383 })],
    ['the canvas of a WebP', hostile.animatedWebp({ width: 2 ** 24, height: 2 ** 24 }, 1)],
  ])('a picture is refused for the pixels that it declares: %s', (_, bytes) => {
    expect(bytes.length).toBeLessThan(1_000);
    expect(refusal(bytes)).toBe('pixels');
  });

  it.each<[name: string, bytes: Buffer]>([
    ['a frame larger than its canvas', hostile.mismatchedWebp(size, full)],
    ['no frame', jpeg.subarray(0, 20)],
    ['two frames', Buffer.concat([jpeg.subarray(0, 100), jpeg.subarray(2)])],
    ['only the beginning of a PNG', hostile.truncated(hostile.plainPng(size), 0.2)],
    ['only the beginning of a WebP', hostile.truncated(hostile.plainWebp(size), 0.4)],
  ])('a picture is recognised as broken: %s', (_, bytes) => {
    expect(refusal(bytes)).toBe('broken');
  });

  it('a picture never crashes the inspection when truncated anywhere', () => {
    const all = [
      hostile.exifMazeJpeg(size),
      hostile.manyScansJpeg(size, 5),
      hostile.manyChunksPng(size, 5),
      hostile.animatedWebp(size, 5),
      hostile.profiledWebp(size, Buffer.alloc(50)),
    ];
    for (const bytes of all)
      for (let length = 0; length < Math.min(bytes.length, 400); length += 1)
        expect(['none', 'broken', 'format', 'pixels']).toContain(refusal(bytes.subarray(0, length)));
  });
});
