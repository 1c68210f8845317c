/** Makes docs/filters.jpg, which shows every face filter and group style as the embedded service renders them. */
import { fileURLToPath } from 'node:url';
import sharp, { type OverlayOptions } from 'sharp';
import { catalogs } from '../src/generation-service/render/filters/all.ts';
import { renderPreview } from '../src/generation-service/render/picture.ts';
import { textSvg } from '../src/picture/text.ts';
import { createSitters } from '../test/people/sitters.ts';

const gap = 10;
const caption = 26;
const width = 1610;

const sitters = await createSitters();

const sets: [title: string, catalog: keyof typeof catalogs, columns: number, aspect: number][] = [
  ['Face filters', 'face', 10, 2 / 3],
  ['Group styles: realistic', 'realistic', 7, 3 / 2],
  ['Group styles: stylized', 'stylized', 7, 3 / 2],
  ['Group styles: classic', 'classic', 7, 3 / 2],
];

const layers: OverlayOptions[] = [];
const words: string[] = [];
let y = gap;

for (const [title, catalog, columns, aspect] of sets) {
  const cell = Math.floor((width - gap) / columns) - gap;
  const height = Math.round(cell / aspect);
  words.push(textSvg(title, gap, y + 12, { size: 20, colour: '#f4efe6', weight: 0.13 }));
  y += 50;
  for (const [index, { id, key, name }] of catalogs[catalog].entries()) {
    const left = gap + (index % columns) * (cell + gap);
    const top = y + Math.floor(index / columns) * (height + caption + gap);
    const bytes = await renderPreview(key, sitters.of(id), sitters.group);
    layers.push({ input: await sharp(bytes).resize(cell, height).toBuffer(), left, top });
    const text = `${id} ${name}`;
    const style = { size: 10, colour: '#d8d0c2', weight: 0.12, maxWidth: cell };
    words.push(textSvg(text, left, top + height + 7, style));
  }
  y += Math.ceil(catalogs[catalog].length / columns) * (height + caption + gap) + gap;
}

sitters.close();

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}">${words.join('')}</svg>`;

await sharp({ create: { width, height: y, channels: 3, background: '#17151a' } })
  .composite([...layers, { input: Buffer.from(svg), left: 0, top: 0 }])
  .jpeg({ quality: 78, mozjpeg: true })
  .toFile(fileURLToPath(new URL('../docs/filters.jpg', import.meta.url)));
