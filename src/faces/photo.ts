import sharp from 'sharp';
import { keepOrientationOnly } from '../picture/exif.ts';
import { inspectPicture } from '../picture/inspect.ts';

/** Limit of pixels; the bot and the service accept fewer. */
const MAX_PIXELS = 50_000_000;
/** Photos are reduced to this size; a larger one reveals no further face. */
const LONGEST_SIDE = 1_600;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel. */
  readonly data: Uint8Array;
}

export interface DecodedPhoto {
  readonly width: number;
  readonly height: number;
  /** How many pixels of the photo one pixel here stands for. */
  readonly scale: number;
  /** The picture, and then copies at half the size of the one before (a mipmap). */
  readonly levels: readonly Pixels[];
}

/** A square part of a photo, turned clockwise by an angle. */
export interface PhotoPart {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly angle: number;
}

/** Decodes a photo. Throws `PictureRefused` or an error of sharp if it is not usable. */
export async function decodePhoto(bytes: Uint8Array): Promise<DecodedPhoto> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  keepOrientationOnly(file, inspectPicture(file, MAX_PIXELS));
  const photo = sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
    .autoOrient()
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' });
  const { autoOrient } = await photo.metadata();
  const { data, info } = await photo
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const levels: Pixels[] = [{ width, height, data }];
  for (let last = levels[0]; last !== undefined && Math.min(last.width, last.height) >= 2; ) {
    last = halve(last);
    levels.push(last);
  }
  return { width, height, scale: autoOrient.width / width, levels };
}

function halve({ width, height, data }: Pixels): Pixels {
  const half = { width: width >> 1, height: height >> 1 };
  const small = new Uint8Array(half.width * half.height * 3);
  const row = width * 3;
  let to = 0;
  for (let y = 0; y < half.height; y += 1)
    for (let x = 0; x < half.width; x += 1) {
      const from = y * 2 * row + x * 6;
      for (let k = from; k < from + 3; k += 1) {
        const sum = (data[k] ?? 0) + (data[k + 3] ?? 0) + (data[k + row] ?? 0) + (data[k + row + 3] ?? 0);
        small[to] = (sum + 2) >> 2;
        to += 1;
      }
    }
  return { ...half, data: small };
}

/** Samples a part at `side` pixels a side, each channel from `least` to 1; black beyond the edges of the photo. */
export function readPhotoPart(
  { levels }: DecodedPhoto,
  part: PhotoPart,
  side: number,
  least: 0 | -1,
): Float32Array {
  const pixels = new Float32Array(side * side * 3).fill(least);
  // Sampled from a level that is at most twice as fine, so that no pixel is skipped.
  const level = Math.max(0, Math.min(levels.length - 1, Math.floor(Math.log2(part.side / side))));
  const { width = 0, height = 0, data = new Uint8Array() } = levels[level] ?? {};
  const zoom = 2 ** level;
  const step = part.side / side / zoom;
  const across = Math.cos(part.angle) * step;
  const down = Math.sin(part.angle) * step;
  const half = (side - 1) / 2;
  const row = width * 3;
  const range = (1 - least) / 255;
  for (let v = 0; v < side; v += 1) {
    let x = part.x / zoom - 0.5 - across * half - down * (v - half);
    let y = part.y / zoom - 0.5 - down * half + across * (v - half);
    for (let to = v * side * 3; to < (v + 1) * side * 3; to += 3, x += across, y += down) {
      if (x < 0 || y < 0 || x > width - 1 || y > height - 1) continue;
      const left = Math.min(width - 2, Math.floor(x));
      const top = Math.min(height - 2, Math.floor(y));
      if (left < 0 || top < 0) continue;
      const fx = x - left;
      const fy = y - top;
      for (let k = 0; k < 3; k += 1) {
        const from = top * row + left * 3 + k;
        const upper = (data[from] ?? 0) * (1 - fx) + (data[from + 3] ?? 0) * fx;
        const lower = (data[from + row] ?? 0) * (1 - fx) + (data[from + row + 3] ?? 0) * fx;
        pixels[to + k] = least + (upper * (1 - fy) + lower * fy) * range;
      }
    }
  }
  return pixels;
}

/** The position in the photo of a point of a part (0 to 1 in each direction). */
export function placeInPhoto(
  { x, y, side, angle }: PhotoPart,
  u: number,
  v: number,
): readonly [number, number] {
  const right = (u - 0.5) * side;
  const down = (v - 0.5) * side;
  return [
    x + right * Math.cos(angle) - down * Math.sin(angle),
    y + right * Math.sin(angle) + down * Math.cos(angle),
  ];
}
