import sharp, { type Metadata, type Sharp } from 'sharp';
import { type Area, pixelsOf, WHOLE } from '../../base/area.ts';
import { bordersOf } from '../../picture/borders.ts';
import { keepOrientationOnly } from '../../picture/exif.ts';
import { inspectPicture } from '../../picture/inspect.ts';

/** Pictures that the bot takes or shows have fewer. */
const MAX_PIXELS = 100_000_000;
/** Pixels a side of what the model looks at; a picture is squeezed into it, as those were that it learned from. */
const SIDE = 224;

/** `upright`: the picture's size when it is upright; `part`: only this part of it. */
async function readOn(
  background: string,
  picture: Sharp,
  upright: Metadata['autoOrient'],
  part: Area = WHOLE,
): Promise<Buffer> {
  const pixels = await picture
    .clone()
    .autoOrient()
    .toColourspace('srgb')
    .extract(pixelsOf(part, upright))
    .flatten({ background })
    .resize(SIDE, SIDE, { fit: 'fill' })
    .raw()
    .toBuffer();
  if (pixels.length !== SIDE * SIDE * 3) throw new Error('the picture has other channels');
  return pixels;
}

/** The part of a picture within its borders of one colour, which make it look harmless to the model; undefined: it has none. */
function withinBorders(pixels: Buffer): Area | undefined {
  // Where the borders end, one channel tells.
  const green = Uint8Array.from({ length: SIDE * SIDE }, (_, at) => pixels[at * 3 + 1] ?? 0);
  const borders = bordersOf(green, SIDE);
  if (borders === undefined) return undefined;
  const { left, top, right, bottom } = borders;
  return { left, top, width: 1 - left - right, height: 1 - top - bottom };
}

/**
 * A picture as the model takes it: upright, each channel from 0 to 1. One with transparent parts is read on white and on black, because
 * chats show either, and each can hide what the other shows; one with borders is also read without them. Throws PictureRefused, or what
 * sharp says.
 */
export async function pixelsForContentModel(picture: Uint8Array): Promise<readonly Float32Array[]> {
  const file = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  keepOrientationOnly(file, inspectPicture(file, MAX_PIXELS));
  const read = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const { hasAlpha, autoOrient } = await read.metadata();
  const onWhite = await readOn('#ffffff', read, autoOrient);
  const onBlack = hasAlpha ? await readOn('#000000', read, autoOrient) : onWhite;
  const isTransparent = !onBlack.equals(onWhite);
  const seen = isTransparent ? [onWhite, onBlack] : [onWhite];
  const inner = withinBorders(onWhite) ?? withinBorders(onBlack);
  if (inner !== undefined) seen.push(await readOn('#ffffff', read, autoOrient, inner));
  if (inner !== undefined && isTransparent) seen.push(await readOn('#000000', read, autoOrient, inner));
  return seen.map((pixels) => Float32Array.from(pixels, (value) => value / 255));
}
