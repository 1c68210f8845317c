import sharp from 'sharp';
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
  it.each([
    { what: 'a JPEG', picture: noise.clone().jpeg() },
    { what: 'a progressive JPEG', picture: noise.clone().jpeg({ progressive: true }) },
    { what: 'a JPEG by mozjpeg', picture: noise.clone().jpeg({ mozjpeg: true }) },
    { what: 'a CMYK JPEG', picture: noise.clone().toColourspace('cmyk').jpeg() },
    { what: 'a gray JPEG', picture: noise.clone().grayscale().jpeg() },
    { what: 'a JPEG with metadata', picture: noise.clone().withMetadata({ orientation: 1 }).jpeg() },
    { what: 'a PNG', picture: noise.clone().png() },
    { what: 'an interlaced PNG', picture: noise.clone().png({ progressive: true }) },
    { what: 'a PNG of few colours', picture: noise.clone().png({ palette: true }) },
    { what: 'a PNG with 16 bits', picture: noise.clone().toColourspace('rgb16').png() },
    { what: 'a PNG with metadata', picture: noise.clone().withMetadata({ orientation: 1 }).png() },
    { what: 'a WebP', picture: noise.clone().webp() },
    { what: 'a lossless WebP', picture: noise.clone().webp({ lossless: true }) },
    { what: 'a WebP with metadata', picture: noise.clone().withMetadata({ orientation: 1 }).webp() },
    { what: 'a WebP with transparency', picture: noise.clone().ensureAlpha(0.5).webp() },
  ])('an ordinary picture has a known size before it is decoded: $what', async ({ picture }) => {
    const bytes = await picture.toBuffer();

    expect(inspectPicture(bytes, most)).toMatchObject({ ...size, isWhole: true, isAnimated: false });
  });

  it.each([
    { what: 'PNG', bytes: hostile.animatedPng(size) },
    { what: 'WebP', bytes: hostile.animatedWebp(size, 2) },
  ])('a picture with several frames is known as one: $what', ({ bytes }) => {
    expect(inspectPicture(bytes, most)).toMatchObject({ isWhole: true, isAnimated: true });
  });

  it.each([
    { what: 'a JPEG', bytes: hostile.plainJpeg(full) },
    { what: 'twelve scans', bytes: hostile.manyScansJpeg(full, 11) },
    { what: 'a profile for printing', bytes: hostile.profiledJpeg(size, Buffer.alloc(3_000_000)) },
    { what: 'a megabyte of XMP in pieces', bytes: hostile.manySegmentsJpeg(size, 20, 60_000) },
    { what: 'a chunk for each row', bytes: hostile.manyChunksPng(size, 8_000) },
    { what: 'a hundred frames', bytes: hostile.animatedWebp(full, 100) },
    { what: 'another picture behind it', bytes: hostile.polyglot(jpeg, hostile.manyScansJpeg(size, 100)) },
  ])('an ordinary picture is not refused for $what', ({ bytes }) => {
    expect(refusal(bytes)).toBe('none');
  });
});

describe('a picture that costs more to decode than its size suggests', () => {
  it.each([
    { what: '40,000 scans', bytes: hostile.manyScansJpeg({ width: 4000, height: 4000 }, 40_000) },
    { what: 'scans without data', bytes: hostile.emptyScansJpeg({ width: 4000, height: 4000 }, 40_000) },
    { what: 'stuffing', bytes: hostile.stuffedJpeg(size, 2_000_000) },
    { what: 'fill bytes', bytes: hostile.stuffedJpeg(size, 2_000_000, 0xff) },
    { what: 'segments', bytes: hostile.manySegmentsJpeg(size, 100_000, 10) },
    { what: 'comments', bytes: hostile.manySegmentsJpeg(size, 100_000, 10, 0xfe) },
    { what: 'a colour profile of 16 MB', bytes: hostile.profiledJpeg(size, Buffer.alloc(16_000_000)) },
    { what: 'chunks', bytes: hostile.manyChunksPng(size, 100_000) },
    { what: 'chunks of no pixels', bytes: hostile.manyChunksPng(size, 100_000, 'IDAT') },
    { what: 'chunks of one byte', bytes: hostile.plainPng({ width: 4000, height: 4000, piece: 1 }) },
    { what: 'text that unpacks to 2 GB', bytes: pngWith('zTXt', 2_000_000) },
    { what: 'a packed profile of 5 MB', bytes: pngWith('iCCP', 5_000_000) },
    {
      what: 'interlacing of 320 MB',
      bytes: hostile.plainPng({ ...full, channels: 4, depth: 16, interlaced: true, pixels: Buffer.alloc(9) }),
    },
    { what: 'frames', bytes: hostile.animatedWebp(size, 2_000) },
    { what: 'chunks of a WebP', bytes: hostile.manyChunksWebp(size, 100_000) },
    { what: 'a profile in a WebP', bytes: hostile.profiledWebp(size, Buffer.alloc(5_000_000)) },
  ])('a picture that costs more to decode than its size suggests is refused: $what', ({ bytes }) => {
    expect(refusal(bytes)).toBe('too-complex');
  });

  it.each([
    { what: 'a JPEG', bytes: hostile.hollowJpeg({ width: 65_000, height: 65_000 }) },
    { what: 'a PNG', bytes: hostile.hollowPng({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }) },
    { what: 'a PNG of a million rows', bytes: hostile.hollowPng({ width: 1, height: 1_000_000 }) },
    { what: 'a WebP', bytes: hostile.plainWebp({ width: 16_383, height: 16_383 }) },
    { what: 'the canvas of a WebP', bytes: hostile.animatedWebp({ width: 2 ** 24, height: 2 ** 24 }, 1) },
  ])('a picture is refused for the pixels that it declares: $what', ({ bytes }) => {
    expect(bytes.length).toBeLessThan(1_000);
    expect(refusal(bytes)).toBe('pixels');
  });

  it.each([
    { what: 'a frame larger than its canvas', bytes: hostile.mismatchedWebp(size, full) },
    { what: 'no frame', bytes: jpeg.subarray(0, 20) },
    { what: 'two frames', bytes: Buffer.concat([jpeg.subarray(0, 100), jpeg.subarray(2)]) },
    { what: 'only the beginning of a PNG', bytes: hostile.truncated(hostile.plainPng(size), 0.2) },
    { what: 'only the beginning of a WebP', bytes: hostile.truncated(hostile.plainWebp(size), 0.4) },
  ])('a picture is recognised as broken: $what', ({ bytes }) => {
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
