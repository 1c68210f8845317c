import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { previewFiles } from '../../../../src/generation-service/render/filters/all.ts';
import { TILE_SIDE } from '../../../../src/previews/fetch-tile.ts';

const folder = fileURLToPath(new URL('../../../../src/generation-service/previews/', import.meta.url));

it('there is a preview of every filter, by number and name, and no other (npx node scripts/previews.ts)', async () => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`);
  const wanted = [...previewFiles.values()].map((file) => fileURLToPath(file));
  expect(files.map((file) => file.replaceAll('//', '/')).toSorted()).toEqual(wanted.toSorted());
});

it('they are tiles as the playground shows them, and differ; below a megabyte in all', async () => {
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
