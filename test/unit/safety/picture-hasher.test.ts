// @module-tag slow
import { readFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDecoder, type Decoder } from '../../../src/picture/decoder.ts';
import { PictureRefused } from '../../../src/picture/structure.ts';
import { hashDistance, type PerceptualHash } from '../../../src/safety/hash/perceptual-hash.ts';
import { createPictureHasher, type PictureHasher } from '../../../src/safety/hash/picture-hasher.ts';
import { createFakeClock } from '../../fakes/clock.ts';

const SAMPLES = ['portrait', 'group'] as const;
const sample = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../src/generation-service/samples/${name}.jpg`, import.meta.url));

let decoder: Decoder;
let hasher: PictureHasher;
beforeAll(() => {
  decoder = createDecoder({ clock: createFakeClock() });
  hasher = createPictureHasher(decoder);
});
afterAll(() => decoder.close());

/** A picture of one colour for each place, given in shares of its sides. */
async function painted(colourAt: (x: number, y: number) => number): Promise<Buffer> {
  const [width, height] = [600, 400];
  const pixels = Buffer.alloc(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) pixels[y * width + x] = colourAt(x / width, y / height);
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}

async function cutOff(
  picture: Buffer,
  share: { left?: number; top?: number; right?: number; bottom?: number },
) {
  const { width, height } = await sharp(picture).metadata();
  const { left = 0, top = 0, right = 0, bottom = 0 } = share;
  const box = {
    left: Math.round(left * width),
    top: Math.round(top * height),
    width: Math.round((1 - left - right) * width),
    height: Math.round((1 - top - bottom) * height),
  };
  return sharp(picture).extract(box).jpeg({ quality: 85 }).toBuffer();
}

describe('perceptual hashes', () => {
  const COPIES: readonly { readonly what: string; readonly copy: (picture: Sharp) => Sharp }[] = [
    { what: 'as a JPEG of quality 50', copy: (picture) => picture.jpeg({ quality: 50 }) },
    { what: 'at 640 pixels', copy: (picture) => picture.resize(640, 640, { fit: 'inside' }).jpeg() },
    { what: 'at 1280 pixels', copy: (picture) => picture.resize(1280, 1280, { fit: 'inside' }).jpeg() },
    { what: 'a tenth brighter', copy: (picture) => picture.linear(1.1, 0).jpeg() },
    { what: 'as a WebP', copy: (picture) => picture.webp({ quality: 60 }) },
  ];

  it.each(SAMPLES.flatMap((name) => COPIES.map((each) => ({ name, ...each }))))(
    'the hashes of $name and of its copy $what differ in at most 24 bits',
    async ({ name, copy }) => {
      const photo = await sample(name);
      const { hash, isFlat } = await hasher.hashes(photo, 'ann');
      const ofCopy = await hasher.hashes(await copy(sharp(photo)).toBuffer(), 'ann');

      expect(isFlat).toBe(false);
      expect(hashDistance(hash, ofCopy.hash)).toBeLessThanOrEqual(24);
    },
  );

  it.each(SAMPLES)('the hash of %s tells that of its mirror image', async (name) => {
    const photo = await sample(name);
    const { hash, mirrored } = await hasher.hashes(photo, 'ann');
    const ofMirror = await hasher.hashes(await sharp(photo).flop().jpeg({ quality: 80 }).toBuffer(), 'ann');

    expect(hashDistance(mirrored, ofMirror.hash)).toBeLessThanOrEqual(24);
    expect(hashDistance(hash, ofMirror.hash)).toBeGreaterThan(58);
  });

  /** Frames by their colour and by the share of the picture that they add at each side. */
  const FRAMES = [
    {
      what: 'in a white frame',
      shares: { left: 0.04, right: 0.04, top: 0.03, bottom: 0.03 },
      background: '#ffffff',
    },
    {
      what: 'between black bars',
      shares: { left: 0, right: 0, top: 0.15, bottom: 0.15 },
      background: '#000000',
    },
    {
      what: 'with a bar at one side',
      shares: { left: 0.1, right: 0, top: 0, bottom: 0 },
      background: '#40c0a0',
    },
    {
      what: 'on the page of a screenshot',
      shares: { left: 0.05, right: 0.05, top: 0.3, bottom: 0.4 },
      background: '#f4f4f4',
    },
  ];

  it.each(SAMPLES.flatMap((name) => FRAMES.map((each) => ({ name, ...each }))))(
    'the hash of $name and the one within its copy $what differ in at most 24 bits',
    async ({ name, shares, background }) => {
      const photo = await sample(name);
      const { width, height } = await sharp(photo).metadata();
      const copy = await sharp(photo)
        .extend({
          left: Math.round(shares.left * width),
          right: Math.round(shares.right * width),
          top: Math.round(shares.top * height),
          bottom: Math.round(shares.bottom * height),
          background,
        })
        .jpeg({ quality: 70 })
        .toBuffer();

      const { hash } = await hasher.hashes(photo, 'ann');
      const { hash: ofCopy, within } = await hasher.hashes(copy, 'ann');

      expect(hashDistance(hash, ofCopy)).toBeGreaterThan(40);
      expect(within && hashDistance(hash, within.hash)).toBeLessThanOrEqual(24);
    },
  );

  it('perceptual hashes are of the upright picture', async () => {
    const photo = await sample('portrait');
    const turned = await sharp(photo).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer();
    const { hash } = await hasher.hashes(photo, 'ann');
    const ofTurned = await hasher.hashes(turned, 'ann');

    expect(hashDistance(hash, ofTurned.hash)).toBeLessThanOrEqual(24);
  });

  it('hashes of different photos, or of different people in one, differ in at least 58 bits', async () => {
    const group = await sample('group');
    const pictures = [
      await sample('portrait'),
      group,
      await cutOff(group, { right: 0.6 }),
      await cutOff(group, { left: 0.3, right: 0.3 }),
      await cutOff(group, { left: 0.6 }),
    ];
    const all = await Promise.all(pictures.map((picture) => hasher.hashes(picture, 'ann')));
    const distances = all.flatMap((one, at) =>
      all
        .slice(at + 1)
        .flatMap(({ hash, mirrored }) => [hashDistance(one.hash, hash), hashDistance(one.hash, mirrored)]),
    );
    expect(distances).toHaveLength(20);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(58);
  });

  it('hashes of cropped copies are within 40 bits of one of the crops of a photo', async () => {
    for (const name of SAMPLES) {
      const photo = await sample(name);
      const { hash } = await hasher.hashes(photo, 'ann');
      const known = [hash, ...(await hasher.cropHashes(photo, 'ann'))];
      const nearest = async (copy: Buffer): Promise<number> => {
        const ofCopy = (await hasher.hashes(copy, 'ann')).hash;
        return Math.min(...known.map((each: PerceptualHash) => hashDistance(each, ofCopy)));
      };
      const distances = await Promise.all([
        ...['left', 'top', 'right', 'bottom'].flatMap((side) =>
          [0.02, 0.05, 0.1].map(async (share) => nearest(await cutOff(photo, { [side]: share }))),
        ),
        nearest(await cutOff(photo, { left: 0.02, top: 0.02, right: 0.02, bottom: 0.02 })),
        ...[0.05, 0.12].map(async (share) => {
          const { height } = await sharp(photo).metadata();
          const bar = { bottom: Math.round(share * height), background: '#fff' };
          return nearest(await sharp(photo).extend(bar).jpeg().toBuffer());
        }),
      ]);
      expect(known).toHaveLength(20);
      expect(Math.max(...distances)).toBeLessThanOrEqual(40);
    }
  });

  it('perceptual hashes keep 58 bits between a photo and the crops of another one', async () => {
    const ofGroup = await hasher.cropHashes(await sample('group'), 'ann');
    const { hash, mirrored } = await hasher.hashes(await sample('portrait'), 'ann');
    const distances = ofGroup.flatMap((each) => [hashDistance(each, hash), hashDistance(each, mirrored)]);

    expect(Math.min(...distances)).toBeGreaterThanOrEqual(58);
  });

  it.each([
    { what: 'a white wall', paint: () => painted(() => 255) },
    { what: 'a gradient', paint: () => painted((x) => 20 + 200 * x) },
    { what: 'a horizon', paint: () => painted((_, y) => (y < 0.5 ? 200 : 90)) },
    { what: 'a disc', paint: () => painted((x, y) => ((x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.04 ? 40 : 220)) },
    { what: 'faint stripes', paint: () => painted((x, y) => 128 + 4 * Math.sin(60 * x + 90 * y)) },
  ])('perceptual hashes know a flat picture: $what', async ({ paint }) => {
    expect((await hasher.hashes(await paint(), 'ann')).isFlat).toBe(true);
  });

  it('perceptual hashes know that a photo with a tenth of its contrast is not flat', async () => {
    for (const name of SAMPLES) {
      const faint = await sharp(await sample(name))
        .linear(0.1, 115)
        .png()
        .toBuffer();
      expect((await hasher.hashes(faint, 'ann')).isFlat).toBe(false);
    }
  });

  it('hashes of what is no picture are refused as the decoder refuses it', async () => {
    await expect(hasher.hashes(Buffer.from('no picture'), 'ann')).rejects.toThrow(PictureRefused);
  });
});
