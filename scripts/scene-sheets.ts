/**
 * `npx node scripts/scene-sheets.ts /tmp/sheets [name of a scene]` draws sheets for a review by eye: each scene with every
 * drawn person, in every size and for every gender, and each scene for groups with the drawn group and with other numbers of
 * people.
 */
import { mkdir, readFile } from 'node:fs/promises';
import sharp, { type OverlayOptions } from 'sharp';
import { asSharp, type Size } from '../src/generation-service/render/canvas.ts';
import { realisticScenes, scenes, stylizedScenes } from '../src/generation-service/render/scenes/all.ts';
import { drawGroup, membersOf } from '../src/generation-service/render/scenes/draw-group.ts';
import { drawScene, type Sitter } from '../src/generation-service/render/scenes/draw-scene.ts';
import { DRAWN_GENDERS } from '../src/generation-service/render/scenes/scene.ts';
import { createSitters } from '../test/people/sitters.ts';

const [, , folder = '/tmp/sheets', only] = process.argv;
const WIDTH = 1600;
const ROW = 400;

const fileName = (key: string) => key.toLowerCase().replaceAll(' ', '-');

const sitters = await createSitters();
await mkdir(folder, { recursive: true });

for (const [key, scene] of Object.entries(scenes)) {
  if (only !== undefined && only !== key) continue;
  const portrait = { width: 600, height: 900 };
  const jobs: [size: Size, sitter: Sitter][] = [
    ...sitters.all.map((sitter): [Size, Sitter] => [portrait, sitter]),
    ...DRAWN_GENDERS.flatMap((gender, n) =>
      sitters.all.slice(n, n + 1).map((sitter): [Size, Sitter] => [portrait, { ...sitter, gender }]),
    ),
    ...sitters.all.slice(0, 1).map((sitter): [Size, Sitter] => [{ width: 900, height: 600 }, sitter]),
    ...sitters.all.slice(5, 6).map((sitter): [Size, Sitter] => [{ width: 640, height: 640 }, sitter]),
  ];
  const layers: OverlayOptions[] = [];
  let left = 0;
  let top = 0;
  for (const [size, sitter] of jobs) {
    const canvas = await drawScene({ scene, key, size, changes: {}, seed: 1 }, sitter);
    const { data, info } = await asSharp(canvas)
      .resize({ height: ROW - 4 })
      .png()
      .toBuffer({ resolveWithObject: true });
    if (left + info.width > WIDTH) {
      left = 0;
      top += ROW;
    }
    layers.push({ input: data, left, top });
    left += info.width + 4;
  }
  await sharp({ create: { width: WIDTH, height: top + ROW, channels: 3, background: '#17151a' } })
    .composite(layers)
    .png()
    .toFile(`${folder}/${fileName(key)}.png`);
}

const drawn = await readFile(new URL('../src/generation-service/samples/group.jpg', import.meta.url));

for (const [key, scene] of Object.entries({ ...realisticScenes, ...stylizedScenes })) {
  if (only !== undefined && only !== key) continue;
  for (const count of [1, 2, 3, 5, 8]) {
    const members =
      count === 5 ? membersOf([drawn], [sitters.group]) : sitters.all.slice(0, Math.min(6, count));
    const size = { width: 1800, height: 1200 };
    const canvas = await drawGroup({ scene, key, size, changes: {}, seed: 1 }, members, count);
    await asSharp(canvas)
      .resize(1100)
      .png()
      .toFile(`${folder}/${fileName(key)}-${count}.png`);
  }
}

sitters.close();
