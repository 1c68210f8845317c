import sharp from 'sharp';
import type { Face } from '../../faces/face.ts';
import { type Canvas, readCanvas, type Size } from './canvas.ts';

/** Room around a face for hair, ears and chin, in heights of the face. */
const ABOVE = 0.6;
const AROUND = 0.3;

/** Crops a photo to fill the size, without cutting off heads. */
export async function coverSize(photo: Uint8Array, size: Size, faces: readonly Face[]): Promise<Canvas> {
  if (faces.length > 0) return readCrop(photo, size, await coveringPart(photo, size, faces));
  return readCanvas(
    sharp(photo)
      .autoOrient()
      .resize({ ...size, fit: 'cover', position: 'attention' }),
  );
}

type Part = Awaited<ReturnType<typeof coveringPart>>;

export function readCrop(photo: Uint8Array, size: Size, { left, top, width, height }: Part): Promise<Canvas> {
  const part = sharp(photo).autoOrient().extract({ left, top, width, height });
  return readCanvas(part.resize({ ...size, fit: 'fill' }));
}

/** The part of an upright photo that `coverSize` shows, and the size of the whole photo. */
export async function coveringPart(photo: Uint8Array, size: Size, faces: readonly Face[]) {
  const { autoOrient } = await sharp(photo).metadata();
  const scale = Math.min(autoOrient.width / size.width, autoOrient.height / size.height);
  const width = Math.max(1, Math.round(size.width * scale));
  const height = Math.max(1, Math.round(size.height * scale));
  const heads = faces.map(({ box }) => ({
    left: box.left - box.height * AROUND,
    right: box.left + box.width + box.height * AROUND,
    top: box.top - box.height * ABOVE,
    bottom: box.top + box.height * (1 + AROUND),
  }));
  const left = startOf(
    autoOrient.width,
    width,
    heads.map((head) => [head.left, head.right]),
  );
  const top = startOf(
    autoOrient.height,
    height,
    heads.map((head) => [head.top, head.bottom]),
  );
  return { left, top, width, height, whole: autoOrient };
}

/**
 * The start of a part of this length along one axis. As many spans as possible, the first ones preferred, are inside and in its
 * middle.
 */
function startOf(whole: number, part: number, spans: readonly (readonly [number, number])[]): number {
  let [from, to] = spans[0] ?? [0, whole];
  for (const [start, end] of spans.slice(1)) {
    const first = Math.min(from, start);
    const last = Math.max(to, end);
    if (last - first <= part) {
      from = first;
      to = last;
    }
  }
  return Math.round(Math.min(whole - part, Math.max(0, (from + to - part) / 2)));
}
