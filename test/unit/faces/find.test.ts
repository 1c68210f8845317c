// @module-tag slow
// @module-tag longest
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Face } from '../../../src/faces/face.ts';
import { createFaceFinder } from '../../../src/faces/finder.ts';
import { CHIN, FOREHEAD } from '../../../src/faces/geometry.ts';
import * as hostile from '../../fakes/hostile-pictures.ts';
import { photoOf } from '../../people/people.ts';

const finder = createFaceFinder();
afterAll(() => finder.close());

const read = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../src/generation-service/samples/${name}.jpg`, import.meta.url));

const group = await read('group');
const portrait = await read('portrait');

const middleOf = ({ box }: Face) => [box.left + box.width / 2, box.top + box.height / 2];
const degrees = (radians: number): number => (radians * 180) / Math.PI;

describe('faces', () => {
  it('the faces found in a group are those of its five people, the largest first, and none of their dog', async () => {
    const faces = await finder.find(group);
    const middles = faces.map(middleOf).map(([x = 0, y = 0]) => [Math.round(x / 100), Math.round(y / 100)]);
    expect(middles.toSorted()).toEqual([
      [12, 5],
      [3, 5],
      [6, 4],
      [8, 7],
      [9, 4],
    ]);

    const widths = faces.map(({ box }) => box.width * box.height);
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
    for (const { points, score, pose } of faces) {
      expect(points).toHaveLength(1_404);
      expect(score).toBeGreaterThan(0.9);
      for (const angle of Object.values(pose)) expect(Math.abs(degrees(angle))).toBeLessThan(10);
    }
  });

  it('faces are no longer looked for when nobody waits, and then those of the next photo are', async () => {
    const asked = new AbortController();
    const found = finder.find(group, { signal: asked.signal });
    setImmediate(() => asked.abort());

    await expect(found).rejects.toThrow('was stopped');

    const pids = finder.pids();
    expect(await finder.find(portrait)).toHaveLength(1);
    expect(finder.pids()).toEqual(pids);
  });

  it.each([-45, -30, 30, 45, 90, 120, 180])(
    'faces are found in a photo that is tilted by %i°',
    async (angle) => {
      const tilted = await sharp(group)
        .resize(1_024)
        .rotate(angle, { background: '#88aacc' })
        .jpeg()
        .toBuffer();
      const faces = await finder.find(tilted);
      expect(faces).toHaveLength(5);
      for (const { pose } of faces)
        expect(Math.cos(pose.roll - (angle * Math.PI) / 180)).toBeGreaterThan(Math.cos(Math.PI / 18));
    },
  );

  it.each([
    { name: 'kofi', angle: 105 },
    { name: 'kofi', angle: 180 },
    { name: 'lena', angle: 150 },
    { name: 'otto', angle: 135 },
  ] as const)(
    'faces that are found have the chin where it is: $name, turned by $angle°',
    async ({ name, angle }) => {
      const photo = await photoOf(name, 480);
      const [upright] = await finder.find(photo);
      const turned = await sharp(photo).rotate(angle, { background: '#665544' }).toBuffer();
      const { width, height } = await sharp(turned).metadata();
      const [face, ...others] = await finder.find(turned);

      expect(others).toEqual([]);

      const cos = Math.cos((angle * Math.PI) / 180);
      const sin = Math.sin((angle * Math.PI) / 180);
      for (const point of [FOREHEAD, CHIN]) {
        const [x = 0, y = 0] = upright?.points.subarray(point * 3) ?? [];
        const [atX = 0, atY = 0] = face?.points.subarray(point * 3) ?? [];
        expect((x - 240) * cos - (y - 300) * sin).toBeCloseTo(atX - width / 2, -1);
        expect((x - 240) * sin + (y - 300) * cos).toBeCloseTo(atY - height / 2, -1);
      }
    },
  );

  it.each([
    { left: 0, top: 0 },
    { left: 500, top: 300 },
    { left: 920, top: 860 },
  ])('faces are found where they have 35 of 1,024 pixels, at $left, $top', async ({ left, top }) => {
    const small = await sharp(portrait).resize(105).toBuffer();
    const photo = sharp({ create: { width: 1_024, height: 1_024, channels: 3, background: '#7a9ab0' } });
    const [face, ...others] = await finder.find(
      await photo
        .composite([{ input: small, left, top: Math.min(top, 860) }])
        .jpeg()
        .toBuffer(),
    );

    expect(others).toEqual([]);
    expect(face?.box.left).toBeGreaterThan(left + 20);
    expect(face?.box.left).toBeLessThan(left + 60);
  });

  it('faces are described in pixels of the upright photo, whatever its size', async () => {
    const [small] = await finder.find(portrait);
    const lying = await sharp(portrait)
      .rotate(-90)
      .resize({ height: 3_000 })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const [large] = await finder.find(lying);
    const [x = 0, y = 0] = small === undefined ? [] : middleOf(small);
    const [largeX = 0, largeY = 0] = large === undefined ? [] : middleOf(large);

    expect(Math.hypot(largeX / 3 - x, largeY / 3 - y)).toBeLessThan(10);
    expect((large?.box.width ?? 0) / (small?.box.width ?? 1)).toBeCloseTo(3, 0);
  });

  it('faces are not seen in a landscape', async () => {
    const landscape = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600">
      <rect width="900" height="600" fill="#9fd0f0"/><circle cx="700" cy="120" r="60" fill="#ffe9a8"/>
      <path d="M0 400 L200 150 L380 400 L560 220 L900 450 V600 H0Z" fill="#5d7f8a"/>
      <rect y="440" width="900" height="160" fill="#6aa04f"/>
      <path d="M120 520h160v-110l-80-60-80 60z" fill="#b5523b"/><path d="M150 440h35v35h-35zM215 440h35v35h-35z" fill="#fff3c4"/>
    </svg>`);
    expect(await finder.find(await sharp(landscape).jpeg().toBuffer())).toEqual([]);
  });
});

describe('a photo that is none', () => {
  const size = { width: 64, height: 64 };

  it.each([
    { what: 'one pixel', bytes: hostile.plainPng({ width: 1, height: 1, channels: 3 }) },
    { what: 'one row', bytes: hostile.plainPng({ width: 3_000, height: 1, channels: 3 }) },
  ])('a photo that is none has no faces: $what', async ({ bytes }) => {
    expect(await finder.find(bytes)).toEqual([]);
  });

  it.each([
    {
      what: 'text',
      bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      reason: 'format',
    },
    { what: 'nothing', bytes: Buffer.alloc(0), reason: 'format' },
    { what: 'a bomb', bytes: hostile.hollowPng({ width: 30_000, height: 30_000 }), reason: 'pixels' },
    { what: 'half a photo', bytes: hostile.truncated(group, 0.01), reason: 'broken' },
    { what: 'thousands of scans', bytes: hostile.manyScansJpeg(size, 5_000), reason: 'too-complex' },
  ])('a photo that is none is refused: $what', async ({ bytes, reason }) => {
    await expect(finder.find(bytes)).rejects.toMatchObject({ name: 'PictureRefused', reason });
    await expect(finder.cutOut(bytes)).rejects.toMatchObject({ reason });
  });
});

it('a drawn photo says where people are, with the proportions of the photo', async () => {
  const { width, height, alpha } = await finder.cutOut(portrait);
  expect(width).toBe(341);
  expect(height).toBe(512);
  expect(alpha[300 * width + 170]).toBeGreaterThan(200);
  expect(alpha[20 * width + 20]).toBeLessThan(50);
});
