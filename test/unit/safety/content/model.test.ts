// @module-tag slow
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFaceFinder, type FaceFinder } from '../../../../src/faces/finder.ts';
import { type Content, looksIntimate } from '../../../../src/safety/content/content.ts';
import { paint, patterns, suspiciousStripes } from '../../../fakes/content-pictures.ts';
import * as hostile from '../../../fakes/hostile-pictures.ts';

/** What TensorFlow.js says of the same pixels with the weights as the package has them, recorded once. */
const recorded: Readonly<Record<string, readonly number[]>> = JSON.parse(
  await readFile(new URL('../../../fixtures/content-model.json', import.meta.url), 'utf8'),
);
const numbersOf = ({ drawing, hentai, neutral, porn, sexy }: Content) => [
  drawing,
  hentai,
  neutral,
  porn,
  sexy,
];

let finder: FaceFinder;
beforeAll(() => {
  finder = createFaceFinder();
});
afterAll(() => finder.close());

describe('the converted content model', () => {
  it.each(Object.entries(patterns))(
    'the converted content model says of %s what the original says',
    async (name, at) => {
      const said = numbersOf(await finder.content(await paint(at)));
      const expected = recorded[name] ?? [];

      expect(expected).toHaveLength(said.length);

      for (const [index, number] of said.entries())
        expect(Math.abs(number - (expected[index] ?? Number.NaN))).toBeLessThan(1e-4);
    },
  );

  it('the converted content model finds the stripes of the tests in every form that a platform makes of them', async () => {
    const stripes = await suspiciousStripes();
    const forms = [
      stripes,
      await sharp(stripes).jpeg({ quality: 50 }).toBuffer(),
      await sharp(stripes).webp().toBuffer(),
      await sharp(stripes).resize(100).png().toBuffer(),
      await sharp(stripes).resize(1_200, 1_800, { fit: 'fill' }).jpeg().toBuffer(),
    ];
    for (const form of forms) {
      const content = await finder.content(form);
      expect(content.porn).toBeGreaterThan(0.95);
      expect(looksIntimate(content)).toBe(true);
    }
  });

  it('the converted content model looks at a picture as people see it: upright and on white', async () => {
    const upright = await paint((x, y) => (y < 0.3 ? [20, 20, 20] : [250, x * 255, 90]));
    const turned = await sharp(upright).rotate(90).withMetadata({ orientation: 8 }).png().toBuffer();
    const clear = await sharp({ create: { width: 224, height: 224, channels: 4, background: '#0000' } })
      .png()
      .toBuffer();
    const white = recorded.white ?? [];

    const ofUpright = numbersOf(await finder.content(upright));
    const ofTurned = numbersOf(await finder.content(turned));
    const ofClear = numbersOf(await finder.content(clear));

    for (const [index, number] of ofUpright.entries()) expect(ofTurned[index]).toBeCloseTo(number, 5);
    expect(white).toHaveLength(ofClear.length);
    for (const [index, number] of white.entries()) expect(ofClear[index]).toBeCloseTo(number, 4);
  });

  it('the converted content model finds what transparency shows on black alone', async () => {
    const stripes = await sharp(await suspiciousStripes())
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = stripes.info;
    const pixels = Buffer.alloc(width * height * 4);
    for (let at = 0; at < width * height; at += 1) {
      const colour = [...stripes.data.subarray(at * channels, at * channels + 3)];
      const alpha = Math.max(1, ...colour);
      pixels.set([...colour.map((value) => Math.round((value * 255) / alpha)), alpha], at * 4);
    }
    const picture = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer();
    const onWhite = await sharp(picture).flatten({ background: '#fff' }).png().toBuffer();

    expect(looksIntimate(await finder.content(onWhite))).toBe(false);
    expect(looksIntimate(await finder.content(picture))).toBe(true);
  });

  it.each([
    { what: 'in a white frame', sides: { left: 60, right: 60, top: 60, bottom: 60 }, background: '#ffffff' },
    { what: 'in a wide frame', sides: { left: 95, right: 95, top: 95, bottom: 95 }, background: '#305080' },
    { what: 'between black bars', sides: { top: 200, bottom: 200 }, background: '#000000' },
    {
      what: 'on the page of a screenshot',
      sides: { left: 20, right: 20, top: 150, bottom: 250 },
      background: '#f4f4f4',
    },
  ])('the converted content model finds what is $what', async ({ sides, background }) => {
    const framed = sharp(await suspiciousStripes()).extend({ ...sides, background });

    expect(looksIntimate(await finder.content(await framed.jpeg({ quality: 85 }).toBuffer()))).toBe(true);
  });

  it('the converted content model finds what is in a transparent frame, and in the frame of a photo that lies on its side', async () => {
    const sides = { left: 60, right: 60, top: 90, bottom: 90 };
    const stripes = sharp(await suspiciousStripes());
    const transparent = await stripes
      .clone()
      .extend({ ...sides, background: '#00000000' })
      .png()
      .toBuffer();
    const framed = await stripes
      .clone()
      .extend({ ...sides, background: '#ffffff' })
      .png()
      .toBuffer();
    const onItsSide = await sharp(framed).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();

    expect(looksIntimate(await finder.content(transparent))).toBe(true);
    expect(looksIntimate(await finder.content(onItsSide))).toBe(true);
  });

  it('the converted content model refuses what is no picture, and goes on in the same process', async () => {
    await finder.content(await paint(() => [9, 9, 9]));
    const pids = finder.pids();
    await expect(finder.content(Buffer.from('no picture'))).rejects.toThrow('format');
    await expect(finder.content(hostile.hollowPng({ width: 30_000, height: 30_000 }))).rejects.toThrow();
    expect(looksIntimate(await finder.content(await paint(() => [9, 9, 9])))).toBe(false);
    expect(finder.pids()).toEqual(pids);
  });
});
