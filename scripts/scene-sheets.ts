/** Pictures to look at: the drawn people, into the folder that is named: `npx node scripts/scene-sheets.ts /tmp/sheets`. */
import { mkdir } from 'node:fs/promises';
import sharp, { type OverlayOptions } from 'sharp';
import { personNames, photoOf } from '../test/people/people.ts';

const [, , folder = '/tmp/sheets'] = process.argv;
const cell = { width: 300, height: 375 };
const columns = 4;

await mkdir(folder, { recursive: true });
const layers: OverlayOptions[] = [];
for (const name of personNames) {
  const input = await sharp(await photoOf(name))
    .resize(cell)
    .toBuffer();
  const n = layers.length;
  layers.push({ input, left: (n % columns) * cell.width, top: Math.floor(n / columns) * cell.height });
}
const size = { width: columns * cell.width, height: Math.ceil(layers.length / columns) * cell.height };
await sharp({ create: { ...size, channels: 3, background: '#17151a' } })
  .composite(layers)
  .png()
  .toFile(`${folder}/people.png`);
