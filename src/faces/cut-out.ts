import sharp from 'sharp';
import type { CutOut } from './face.ts';
import type { Model } from './models.ts';
import type { DecodedPhoto } from './photo.ts';

const LONGEST_SIDE = 512;

/**
 * Separates people from the background. The model was trained with photos squeezed into its square, so its output is stretched
 * to the photo's proportions again.
 */
export async function cutOutPeople({ side, run }: Model, photo: DecodedPhoto): Promise<CutOut> {
  const [whole] = photo.levels;
  const { data = new Uint8Array(), width: from = 0, height: rows = 0 } = whole ?? {};
  const square = await sharp(data, { raw: { width: from, height: rows, channels: 3 } })
    .resize(side, side, { fit: 'fill' })
    .raw()
    .toBuffer();
  const [shares = new Float32Array()] = await run(Float32Array.from(square, (value) => value / 255));
  const scale = LONGEST_SIDE / Math.max(photo.width, photo.height);
  const [width, height] = [photo.width, photo.height].map((length) =>
    Math.max(1, Math.round(length * scale)),
  );
  const alpha = await sharp(
    Uint8Array.from(shares, (share) => Math.round(share * 255)),
    { raw: { width: side, height: side, channels: 1 } },
  )
    .resize(width, height, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return { width: width ?? 0, height: height ?? 0, alpha };
}
