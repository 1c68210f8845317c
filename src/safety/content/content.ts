import sharp, { type Sharp } from 'sharp';
import { z } from 'zod';
import { keepOrientationOnly } from '../../picture/exif.ts';
import { inspectPicture } from '../../picture/inspect.ts';

/** What the model tells pictures apart by, in the order of its numbers. */
const CLASSES = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;

/** Rounded numbers may be a little over 1. */
const share = z.number().min(0).max(1.001);

/** How much a picture looks like one of each class; together about 1. */
export const contentShape = z.object({
  drawing: share,
  hentai: share,
  neutral: share,
  porn: share,
  sexy: share,
} satisfies Record<(typeof CLASSES)[number], z.ZodType>);
export type Content = Readonly<z.infer<typeof contentShape>>;

/** `sexy` would double the false alarms. */
const riskOf = ({ porn, hentai }: Content): number => porn + hentai;

/** Of 359 harmless pictures 4 are over it. A person decides about a result that is; the model errs both ways. */
export const THRESHOLD = 0.85;

export const looksIntimate = (content: Content): boolean => riskOf(content) > THRESHOLD;

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

/** What is said of the worst of several views of a picture. */
export const worstOf = (contents: readonly Content[]): Content | undefined =>
  contents.toSorted((one, other) => riskOf(other) - riskOf(one))[0];

export const contentOf = (numbers: Float32Array | undefined): Content =>
  contentShape.parse(Object.fromEntries(CLASSES.map((name, index) => [name, numbers?.[index]])));
