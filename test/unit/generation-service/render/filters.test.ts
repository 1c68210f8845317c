// @module-tag slow
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { asSharp, createRandom, readCanvas } from '../../../../src/generation-service/render/canvas.ts';
import {
  catalogs,
  customFilters,
  previewFiles,
} from '../../../../src/generation-service/render/filters/all.ts';
import { renderPreview } from '../../../../src/generation-service/render/picture.ts';
import type { Filter } from '../../../../src/generation-service/render/steps.ts';
import { applySteps } from '../../../../src/generation-service/render/steps.ts';
import { TILE_SIDE } from '../../../../src/previews/tiles.ts';

const sample = (name: string) =>
  readFile(new URL(`../../../../src/generation-service/samples/${name}`, import.meta.url));

/** A small picture by the filter, reduced to the colours of a coarse grid. */
async function coarseColours(
  filter: Pick<Filter, 'name' | 'steps'>,
  photo: Buffer,
  width: number,
  height: number,
) {
  const start = await readCanvas(sharp(photo).resize(width, height));
  const context = { unit: Math.min(width, height) / 1200, random: createRandom(1), title: filter.name };
  const canvas = await applySteps(start, [{ autoLevels: {} }, ...filter.steps], context);
  expect(canvas.width).toEqual(width);
  expect(canvas.height).toEqual(height);
  return (await readCanvas(asSharp(canvas).resize(24, 24, { fit: 'fill' }))).data;
}

const distance = (a: Uint8ClampedArray, b: Uint8ClampedArray) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length;

describe.each([
  { title: 'face filters', filters: catalogs.face, file: 'portrait.jpg', width: 240, height: 360 },
  { title: 'realistic styles', filters: catalogs.realistic, file: 'group.jpg', width: 360, height: 240 },
  { title: 'stylized styles', filters: catalogs.stylized, file: 'group.jpg', width: 360, height: 240 },
  { title: 'classic styles', filters: catalogs.classic, file: 'group.jpg', width: 360, height: 240 },
  { title: 'custom filters', filters: customFilters, file: 'portrait.jpg', width: 240, height: 360 },
])('$title', ({ title, filters, file, width, height }) => {
  it(`${title} keep the size, change the photo and differ from each other`, async () => {
    const photo = await sample(file);

    const plain = await coarseColours({ name: 'none', steps: [] }, photo, width, height);
    const seen: { name: string; data: Uint8ClampedArray }[] = [{ name: 'the photo itself', data: plain }];
    const alike: string[] = [];
    for (const filter of filters.filter(({ scene, swapsFaces }) => scene === undefined && !swapsFaces)) {
      const data = await coarseColours(filter, photo, width, height);
      for (const other of seen) {
        if (distance(data, other.data) < 4) alike.push(`${filter.name} and ${other.name}`);
      }
      seen.push({ name: filter.name, data });
    }

    expect(alike).toEqual([]);
  });

  it(`${title} have names and keys of their own`, () => {
    expect(new Set(filters.map(({ name }) => name)).size).toBe(filters.length);
    expect(new Set(filters.map(({ key }) => key)).size).toBe(filters.length);
  });
});

it.each(['face/1', 'realistic/2', 'stylized/3', 'classic/4', 'custom/velvet-noir', 'custom/summer-camp'])(
  'the preview of %s shows what the filter does now (npx node scripts/previews.ts)',
  async (key) => {
    const file = previewFiles.get(key);

    const shipped = await readCanvas(sharp(await readFile(file ?? '')).resize(24, 24));
    const whole = sharp(await renderPreview(key));
    const { width, height } = await whole.metadata();

    // A group, or one person.
    expect(width > height).toBe(!/face|noir/.test(key));

    const side = Math.min(width, height);
    const place = { left: Math.floor((width - side) / 2), top: Math.floor((height - side) / 4) };
    const now = await readCanvas(
      sharp(await whole.extract({ ...place, width: side, height: side }).toBuffer()).resize(24, 24),
    );
    // About 4 is what the strong compression changes.
    expect(distance(shipped.data, now.data)).toBeLessThan(8);
  },
);

const folder = fileURLToPath(new URL('../../../../src/generation-service/previews/', import.meta.url));

it('there is a preview of every filter, by number and name, and no other (npx node scripts/previews.ts)', async () => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  const wanted = [...previewFiles.values()].map((file) => fileURLToPath(file));

  expect(files.map((file) => file.replaceAll('//', '/')).toSorted()).toEqual(wanted.toSorted());
});

it('the previews of filters are tiles as the playground shows them, and differ, below a megabyte in all', async () => {
  const all = await Promise.all([...previewFiles.values()].map((file) => readFile(file)));
  for (const bytes of all)
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'jpeg',
      width: TILE_SIDE,
      height: TILE_SIDE,
    });
  expect(new Set(all.map((bytes) => bytes.toString('base64'))).size).toBe(previewFiles.size);
  expect(all.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(1024 * 1024);
});
