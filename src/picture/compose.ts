import sharp from 'sharp';
import { pixelsOf } from '../base/area.ts';
import type { Composition } from './conversion.ts';
import { inspectPicture } from './inspect.ts';
import { blendMark, markFor } from './mark.ts';

const MAX_PIXELS = 4_000_000;
/** The operation that loads SVG, blocked while pictures from outside are decoded. */
const DRAWINGS = { operation: ['VipsForeignLoadSvgBuffer'] };

/**
 * Composes pictures; runs in the decoder process. The layers are combined here because sharp's `composite` takes twice the time
 * for this many.
 */
export async function composePictures(composition: Composition): Promise<Buffer> {
  const { width, height, background, quality, xmp } = composition;
  const canvas = Buffer.alloc(width * height * 3, Buffer.from(background.slice(1), 'hex'));
  await Promise.all(
    composition.pictures.map(async ({ bytes, part, left, top, width: wide, height: high }) => {
      const size = inspectPicture(bytes, MAX_PIXELS);
      const picture = part === undefined ? sharp(bytes) : sharp(bytes).extract(pixelsOf(part, size));
      const pixels = await picture.resize(wide, high).removeAlpha().raw().toBuffer();
      for (let row = 0; row < high; row += 1)
        pixels.copy(canvas, ((top + row) * width + left) * 3, row * wide * 3, (row + 1) * wide * 3);
    }),
  );
  blend(canvas, await rasterized(composition.svg));
  for (const { hasMark = false, left, top, ...size } of composition.pictures)
    if (hasMark) blendMark(markFor(size), canvas, { width, channels: 3, left, top });
  const made = sharp(canvas, { raw: { width, height, channels: 3 } });
  if (xmp !== undefined) made.withXmp(xmp);
  return made.jpeg({ quality, quantisationTable: 3 }).toBuffer();
}

async function rasterized(svg: string): Promise<Buffer> {
  sharp.unblock(DRAWINGS);
  try {
    return await sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer();
  } finally {
    sharp.block(DRAWINGS);
  }
}

/** Blends an RGBA layer over an RGB canvas. */
function blend(canvas: Buffer, layer: Buffer): void {
  for (let from = 0, to = 0; from < layer.length; from += 4, to += 3) {
    const alpha = layer[from + 3] ?? 0;
    if (alpha === 0) continue;
    for (let channel = 0; channel < 3; channel += 1) {
      const under = canvas[to + channel] ?? 0;
      const over = layer[from + channel] ?? 0;
      canvas[to + channel] = Math.round((over * alpha + under * (255 - alpha)) / 255);
    }
  }
}
