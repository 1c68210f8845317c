import { describe, expect, it } from 'vitest';
import { blendMark, markFor, type PictureSize } from '../../../src/picture/mark.ts';

/** A picture of one brightness with the mark in it. */
function marked({ width, height }: PictureSize, brightness: number): Uint8Array {
  const pixels = new Uint8Array(width * height * 3).fill(brightness);
  blendMark(markFor({ width, height }), pixels, { width, channels: 3 });
  return pixels;
}

describe('the visible mark', () => {
  it.each([
    { width: 1200, height: 1800 },
    { width: 1800, height: 1200 },
    { width: 320, height: 320 },
    { width: 3000, height: 200 },
  ])('the visible mark is small and in the lower right corner ($width × $height)', ({ width, height }) => {
    const mark = markFor({ width, height });

    expect(mark.width * mark.height).toBeLessThan(width * height * 0.01);
    expect(mark.left).toBeGreaterThan(width * 0.8);
    expect(mark.left + mark.width).toBeLessThan(width);
    expect(mark.top).toBeGreaterThan(height * 0.8);
    expect(mark.top + mark.height).toBeLessThan(height);
  });

  it.each([0, 64, 128, 192, 255])('the visible mark stands out on brightness %i', (brightness) => {
    const size = { width: 400, height: 300 };
    const { left, top, width, height } = markFor(size);
    const pixels = marked(size, brightness);
    const at = (x: number, y: number): number =>
      pixels[(Math.floor(y) * size.width + Math.floor(x)) * 3] ?? 0;
    // The letter I, and the ground between the letters.
    const letter = at(left + height, top + height / 2);
    const ground = at(left + height * 0.82, top + height / 2);

    expect(letter - ground).toBeGreaterThan(150);

    const border = at(left + width / 2, top);

    expect(Math.max(border - brightness, brightness - ground)).toBeGreaterThan(100);
  });

  it.each([
    { width: 1, height: 1 },
    { width: 2, height: 900 },
    { width: 900, height: 3 },
    { width: 17, height: 17 },
  ])('the visible mark stays within a tiny picture ($width × $height)', ({ width, height }) => {
    const mark = markFor({ width, height });

    expect(mark.left).toBeGreaterThanOrEqual(0);
    expect(mark.top).toBeGreaterThanOrEqual(0);
    expect(mark.left + mark.width).toBeLessThanOrEqual(width);
    expect(mark.top + mark.height).toBeLessThanOrEqual(height);
  });

  it('the visible mark is drawn into a picture within a larger one', () => {
    const size = { width: 40, height: 40 };
    const alone = marked(size, 90);
    const sheet = new Uint8Array(100 * 60 * 3).fill(90);
    blendMark(markFor(size), sheet, { width: 100, channels: 3, left: 50, top: 10 });
    const row = (y: number) => sheet.subarray(((10 + y) * 100 + 50) * 3, ((10 + y) * 100 + 90) * 3);
    const rows = Array.from({ length: 40 }, (_, y) => Buffer.from(row(y)));

    expect(Buffer.concat(rows)).toEqual(Buffer.from(alone));
  });
});
