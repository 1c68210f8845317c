import type { Area } from '../base/area.ts';
import { defined } from '../base/defined.ts';
import type { Composition, Conversion } from '../picture/conversion.ts';
import { inspectPicture } from '../picture/inspect.ts';
import { drawableText, type TextStyle, textSvg, textWidth } from '../picture/text.ts';
import { PROVENANCE_XMP } from './provenance/xmp.ts';
import type { PictureReader } from './result.ts';

/** One side of the comparison. */
export interface Half {
  readonly bytes: Uint8Array;
  readonly label: string;
  /** The part of the picture to show; absent: all of it. */
  readonly part?: Area;
}

const GAP = 12;
const MOST_WIDTH = 2_400;
const MOST_HEIGHT = 1_200;
/** Limits of width divided by height; wider or higher pictures are cropped, so that neither half becomes a strip. */
const RATIOS = { least: 0.5, most: 2 };
const LONGEST_SIDE = 1_800;
const READ: Conversion = {
  maxPixels: 100_000_000,
  failOn: 'error',
  longestSide: LONGEST_SIDE,
  to: { format: 'jpeg', quality: 90 },
};
const QUALITY = 85;

/**
 * Draws both pictures at the same height side by side, each with its label. `hasMark`: the second one gets the visible mark.
 * Throws `PictureRefused`.
 */
export async function compare(
  before: Half,
  after: Half,
  hasMark: boolean,
  { decoder, person }: PictureReader,
) {
  const pictures = [
    await decoder.convert(before.bytes, { ...READ, ...defined({ part: before.part }) }, person),
    await decoder.convert(after.bytes, READ, person),
  ];
  const composition = layOut(pictures, [before.label, after.label], hasMark);
  const { width, height } = composition;
  return { bytes: await decoder.compose(composition, person), width, height };
}

function layOut(pictures: readonly Uint8Array[], labels: readonly string[], hasMark: boolean): Composition {
  const sizes = pictures.map((picture) => inspectPicture(picture, LONGEST_SIDE ** 2));
  const ratios = sizes.map((size) => Math.min(RATIOS.most, Math.max(RATIOS.least, size.width / size.height)));
  const wide = ratios.reduce((sum, ratio) => sum + ratio, 0);
  const highest = Math.max(...sizes.map((size) => size.height));
  const height = Math.floor(Math.min(MOST_HEIGHT, (MOST_WIDTH - GAP) / wide, highest));
  const widths = ratios.map((ratio) => Math.max(1, Math.round(height * ratio)));
  const size = Math.min(height, ...widths) * 0.045;
  const placed: Composition['pictures'][number][] = [];
  const drawn: string[] = [];
  let left = 0;
  for (const [index, bytes] of pictures.entries()) {
    const width = widths[index] ?? 1;
    placed.push({ bytes, left, top: 0, width, height, hasMark: hasMark && index === 1 });
    drawn.push(badge(labels[index] ?? '', left, height, size));
    left += width + GAP;
  }
  const width = left - GAP;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn.join('')}</svg>`;
  return {
    width,
    height,
    background: '#ffffff',
    pictures: placed,
    svg,
    quality: QUALITY,
    xmp: PROVENANCE_XMP,
  };
}

/** A label in the lower left corner, because faces are further up. */
function badge(label: string, left: number, bottom: number, size: number): string {
  const text = drawableText(label) ?? '';
  const style: TextStyle = { size, colour: '#ffffff', weight: 0.15 };
  const padding = size * 0.8;
  const height = size + 2 * padding;
  const width = textWidth(text, style) + 2 * padding;
  const x = left + size;
  const y = bottom - size - height;
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" rx="${(height / 2).toFixed(1)}"`;
  const box = `<rect ${place} width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="#1b191f" fill-opacity=".72"/>`;
  return box + textSvg(text, x + padding, y + padding, style);
}
