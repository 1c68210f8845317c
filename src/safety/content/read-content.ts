import sharp, { type Sharp } from 'sharp';
import { keepOrientationOnly } from '../../picture/exif.ts';
import { inspectPicture } from '../../picture/inspect.ts';

/** What the bot takes and shows has fewer. */
const MAX_PIXELS = 100_000_000;
/** Pixels a side of what the model looks at; a picture is squeezed into it, as those were that it learned from. */
const SIDE = 224;

async function readOn(background: string, picture: Sharp): Promise<Buffer> {
  const pixels = await picture
    .clone()
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background })
    .resize(SIDE, SIDE, { fit: 'fill' })
    .raw()
    .toBuffer();
  if (pixels.length !== SIDE * SIDE * 3) throw new Error('the picture has other channels');
  return pixels;
}

/**
 * A picture as the model takes it: upright, each channel from 0 to 1. One with transparent parts is read on white and on black, because
 * chats show either, and each can hide what the other shows. Throws PictureRefused, or what sharp says.
 */
export async function readContent(picture: Uint8Array): Promise<readonly Float32Array[]> {
  const file = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  keepOrientationOnly(file, inspectPicture(file, MAX_PIXELS));
  const read = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const onWhite = await readOn('#ffffff', read);
  const { hasAlpha } = await read.metadata();
  const onBlack = hasAlpha ? await readOn('#000000', read) : onWhite;
  const seen = onBlack.equals(onWhite) ? [onWhite] : [onWhite, onBlack];
  return seen.map((pixels) => Float32Array.from(pixels, (value) => value / 255));
}
