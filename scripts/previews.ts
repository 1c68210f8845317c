/**
 * `npx node scripts/previews.ts` renders the previews of all filters of the embedded service again, with its own renderer.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { filterNamed, previewFiles } from '../src/generation-service/render/filters/all.ts';
import { renderPreview } from '../src/generation-service/render/picture.ts';
import { TILE_SIDE } from '../src/previews/tiles.ts';
import { createSitters } from '../test/people/sitters.ts';

/** The JPEG quality with which all previews together stay below a megabyte. */
const QUALITY = 30;

await rm(new URL('../src/generation-service/previews', import.meta.url), { recursive: true, force: true });
const sitters = await createSitters();
let total = 0;

for (const [filter, file] of previewFiles) {
  const whole = await renderPreview(filter, sitters.of(filterNamed(filter).id), sitters.group);
  const { width, height } = await sharp(whole).metadata();
  const side = Math.min(width, height);
  // The square is cut from the upper middle of the picture, where faces are.
  const place = { left: Math.floor((width - side) / 2), top: Math.floor((height - side) / 4) };
  const square = sharp(whole)
    .extract({ ...place, width: side, height: side })
    .resize(TILE_SIDE);
  const bytes = await square.jpeg({ quality: QUALITY, mozjpeg: true }).toBuffer();
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, bytes);
  total += bytes.length;
}

sitters.close();
console.log(`${previewFiles.size} previews, ${Math.ceil(total / 1024)} KB`);
