// @module-tag slow
import sharp, { type Region } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { compare } from '../../../src/media/compare.ts';
import { createDecoder } from '../../../src/picture/decoder.ts';
import { PictureRefused } from '../../../src/picture/structure.ts';
import { resultOf } from '../../e2e/stage/pictures.ts';

const decoder = createDecoder({ clock: systemClock });
afterAll(() => decoder.close());

const red = await resultOf('#e01010', 800, 1200);
const blue = await resultOf('#1010e0', 1200, 1800);

const both = async (before: Buffer, after: Buffer, hasMark = false) =>
  compare({ bytes: before, label: 'Avant' }, { bytes: after, label: 'Après' }, hasMark, {
    decoder,
    person: 'ann',
  });

/** The statistics of a part; `stats` alone would be those of the whole picture. */
const statsOf = async (bytes: Buffer, part: Region) =>
  sharp(await sharp(bytes).extract(part).png().toBuffer()).stats();

/** The colour at a share of the width and height. */
const colourAt = async (bytes: Buffer, x: number, y: number): Promise<readonly number[]> => {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = 3 * (Math.floor(y * info.height) * info.width + Math.floor(x * info.width));
  return [...data.subarray(at, at + 3)];
};

const isNear = (colour: readonly number[], other: readonly number[]): boolean =>
  colour.every((value, index) => Math.abs(value - (other[index] ?? 0)) < 12);

describe('a comparison', () => {
  it('a comparison has the photo on the left and the result on the right, each with a label', async () => {
    const { bytes, width, height } = await both(red, blue);
    const size = await sharp(bytes).metadata();

    expect(size.format).toBe('jpeg');
    expect(size.width).toEqual(width);
    expect(size.height).toEqual(height);
    expect(isNear(await colourAt(bytes, 0.25, 0.5), [0xe0, 0x10, 0x10])).toBe(true);
    expect(isNear(await colourAt(bytes, 0.75, 0.5), [0x10, 0x10, 0xe0])).toBe(true);

    for (const left of [0, 0.51]) {
      const region = { left: Math.floor(left * width), top: Math.floor(height * 0.8) };
      const corner = await statsOf(bytes, {
        ...region,
        width: Math.floor(width * 0.4),
        height: Math.floor(height * 0.18),
      });
      // White letters on a dark ground.
      expect(corner.channels.map(({ max }) => max > 240)).toEqual([true, true, true]);
      expect(corner.channels.map(({ min }) => min < 120)).toEqual([true, true, true]);
    }
  });

  it('a comparison is marked as AI-generated and carries nothing of the photo’s metadata', async () => {
    const tagged = await sharp(await resultOf('#e01010', 90, 60))
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .jpeg()
      .toBuffer();
    const { bytes } = await both(tagged, blue);

    expect(bytes.includes('compositeWithTrainedAlgorithmicMedia')).toBe(true);
    expect(bytes.includes('secret place')).toBe(false);
  });

  it('a comparison has the visible mark on the result alone', async () => {
    const { bytes, width, height } = await both(red, blue, true);
    const cornerOf = async (right: number) => {
      const region = { left: Math.round((right - 0.06) * width), top: Math.round(height * 0.92) };
      const { channels } = await statsOf(bytes, {
        ...region,
        width: Math.floor(width * 0.05),
        height: Math.floor(height * 0.06),
      });
      return channels.every(({ max }) => max > 220);
    };
    expect(await cornerOf(0.49)).toBe(false);
    expect(await cornerOf(1)).toBe(true);
  });

  it('a comparison turns the photo upright', async () => {
    const halves = await sharp(await resultOf('#e01010', 200, 100))
      .composite([{ input: await resultOf('#10e010', 100, 100), left: 100, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { bytes } = await both(halves, await resultOf('#1010e0', 100, 200));

    expect(isNear(await colourAt(bytes, 0.25, 0.25), [0xe0, 0x10, 0x10])).toBe(true);
    expect(isNear(await colourAt(bytes, 0.25, 0.6), [0x10, 0xe0, 0x10])).toBe(true);
  });

  it.each([
    { wide: 1, high: 60 },
    { wide: 4000, high: 40 },
    { wide: 40, high: 4000 },
    { wide: 5000, high: 5000 },
  ])(
    'a comparison has a size that every platform shows, from a photo of $wide × $high',
    async ({ wide, high }) => {
      const { width, height, bytes } = await both(await resultOf('#e01010', wide, high), blue);

      expect(width + height).toBeLessThan(10_000);
      expect(Math.max(width, height) / Math.min(width, height)).toBeLessThan(20);
      expect(width).toBeLessThanOrEqual(2_401);
      expect(bytes.byteLength).toBeLessThan(8 * 1024 * 1024);
    },
  );

  it('a comparison of noise is small enough for every platform', async () => {
    const noise = await sharp({
      create: {
        width: 1500,
        height: 1500,
        channels: 3,
        noise: { type: 'gaussian', mean: 128, sigma: 90 },
        background: '#000',
      },
    })
      .png()
      .toBuffer();
    expect((await both(noise, noise)).bytes.byteLength).toBeLessThan(8 * 1024 * 1024);
  });

  it('a comparison is refused where one of its parts is no picture', async () => {
    await expect(both(Buffer.from('<svg/>'), red)).rejects.toThrow(PictureRefused);
    await expect(both(red, Buffer.from('nothing'))).rejects.toThrow(PictureRefused);
  });
});
