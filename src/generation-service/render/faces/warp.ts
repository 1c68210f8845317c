import type { Canvas, Mask } from '../canvas.ts';
import type { Points } from './mesh.ts';

export interface Warp {
  source: Canvas;
  /** The points' positions in the source. */
  from: Points;
  /** The points' positions in the target. */
  to: Points;
  /** The triangles in the order of drawing; later ones hide earlier ones. */
  triangles: Uint16Array;
  /** Factors of red, green and blue by point. */
  light?: Float32Array;
  /**
   * Other positions of the points, in the source or another picture, and their share, for parts that the source does not show.
   */
  fill?: { source?: Canvas; from: Points; share: Float32Array };
}

/**
 * The number of values that are interpolated over a triangle: position in the source, light, the other position and its share.
 */
const VALUES = 8;

/** Draws the source into the target triangle by triangle, and marks the drawn pixels in the mask. */
export function warpMesh(target: Canvas, warp: Warp, mask?: Mask): void {
  const { source, from, to, triangles, light, fill } = warp;
  const isPlain = light === undefined && fill === undefined;
  const corners = new Float64Array(3 * VALUES);
  const across = new Float64Array(VALUES);
  const down = new Float64Array(VALUES);
  const row = new Float64Array(VALUES);
  const crossings = new Float64Array(3);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = triangles[t] ?? 0;
    const b = triangles[t + 1] ?? 0;
    const c = triangles[t + 2] ?? 0;
    const ax = to[a * 3] ?? 0;
    const ay = to[a * 3 + 1] ?? 0;
    const bx = to[b * 3] ?? 0;
    const by = to[b * 3 + 1] ?? 0;
    const cx = to[c * 3] ?? 0;
    const cy = to[c * 3 + 1] ?? 0;
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    // Written so that NaN is skipped as well.
    if (!(Math.abs(area) > 1e-4)) continue;
    const first = Math.max(0, Math.ceil(Math.min(ay, by, cy)));
    const last = Math.min(target.height - 1, Math.floor(Math.max(ay, by, cy)));
    if (first > last) continue;
    for (let corner = 0; corner < 3; corner += 1) {
      const point = triangles[t + corner] ?? 0;
      const at = corner * VALUES;
      corners[at] = from[point * 3] ?? 0;
      corners[at + 1] = from[point * 3 + 1] ?? 0;
      if (isPlain) continue;
      for (let k = 0; k < 3; k += 1) corners[at + 2 + k] = light?.[point * 3 + k] ?? 1;
      corners[at + 5] = fill?.from[point * 3] ?? 0;
      corners[at + 6] = fill?.from[point * 3 + 1] ?? 0;
      corners[at + 7] = fill?.share[point] ?? 0;
    }
    for (let k = 0; k < (isPlain ? 2 : VALUES); k += 1) {
      const p = corners[k] ?? 0;
      const q = (corners[VALUES + k] ?? 0) - p;
      const r = (corners[2 * VALUES + k] ?? 0) - p;
      across[k] = (q * (cy - ay) - r * (by - ay)) / area;
      down[k] = (r * (bx - ax) - q * (cx - ax)) / area;
    }
    for (let y = first; y <= last; y += 1) {
      crossings[0] = crossing(y, ax, ay, bx, by);
      crossings[1] = crossing(y, bx, by, cx, cy);
      crossings[2] = crossing(y, cx, cy, ax, ay);
      let start = target.width;
      let end = -1;
      for (let k = 0; k < 3; k += 1) {
        const x = crossings[k] ?? 0;
        if (x < start) start = x;
        if (x > end) end = x;
      }
      // A little larger than the triangle, so that no pixel stays empty between two of them.
      const left = Math.max(0, Math.ceil(start - 0.001));
      const count = Math.min(target.width - 1, Math.floor(end + 0.001)) - left + 1;
      if (count <= 0) continue;
      for (let k = 0; k < VALUES; k += 1)
        row[k] = (corners[k] ?? 0) + (left - ax) * (across[k] ?? 0) + (y - ay) * (down[k] ?? 0);
      const place = y * target.width + left;
      if (isPlain) drawRow(target.data, place, count, source, row, across);
      else drawLitRow(target.data, place, count, source, fill?.source ?? source, row, across);
      mask?.fill(1, place, place + count);
    }
  }
}

/** The x at which the line from a to b crosses a row; NaN if it does not. */
const crossing = (y: number, ax: number, ay: number, bx: number, by: number): number =>
  (y - ay) * (y - by) <= 0 && ay !== by ? ax + ((y - ay) / (by - ay)) * (bx - ax) : Number.NaN;

function drawRow(
  data: Uint8ClampedArray,
  place: number,
  count: number,
  source: Canvas,
  row: Float64Array,
  across: Float64Array,
): void {
  let x = row[0] ?? 0;
  let y = row[1] ?? 0;
  const [dx = 0, dy = 0] = across;
  for (let i = place * 3; i < (place + count) * 3; i += 3) {
    copyPixel(source, x, y, data, i);
    x += dx;
    y += dy;
  }
}

function drawLitRow(
  data: Uint8ClampedArray,
  place: number,
  count: number,
  source: Canvas,
  otherSource: Canvas,
  row: Float64Array,
  across: Float64Array,
): void {
  for (let i = place * 3; i < (place + count) * 3; i += 3) {
    const share = row[7] ?? 0;
    for (let k = 0; k < 3; k += 1) {
      const own = share < 1 ? sample(source, row[0] ?? 0, row[1] ?? 0, k) : 0;
      const other = share > 0 ? sample(otherSource, row[5] ?? 0, row[6] ?? 0, k) : 0;
      data[i + k] = (own * (1 - share) + other * share) * (row[2 + k] ?? 1);
    }
    for (let k = 0; k < VALUES; k += 1) row[k] = (row[k] ?? 0) + (across[k] ?? 0);
  }
}

/** Copies a pixel, interpolated between four pixels of the source. */
export function copyPixel(
  { width, height, data }: Canvas,
  sx: number,
  sy: number,
  to: Uint8Array | Uint8ClampedArray,
  place: number,
): void {
  const x = Math.min(width - 1.001, Math.max(0, sx));
  const y = Math.min(height - 1.001, Math.max(0, sy));
  const fx = x - (x | 0);
  const fy = y - (y | 0);
  const a = ((y | 0) * width + (x | 0)) * 3;
  const b = a + width * 3;
  for (let k = 0; k < 3; k += 1) {
    const upper = (data[a + k] ?? 0) * (1 - fx) + (data[a + k + 3] ?? 0) * fx;
    const lower = (data[b + k] ?? 0) * (1 - fx) + (data[b + k + 3] ?? 0) * fx;
    to[place + k] = upper * (1 - fy) + lower * fy;
  }
}

/** One channel, interpolated between four pixels of the source. */
export function sample({ width, height, data }: Canvas, sx: number, sy: number, channel: number): number {
  const x = Math.min(width - 1.001, Math.max(0, sx));
  const y = Math.min(height - 1.001, Math.max(0, sy));
  const fx = x - (x | 0);
  const fy = y - (y | 0);
  const a = ((y | 0) * width + (x | 0)) * 3 + channel;
  const b = a + width * 3;
  const upper = (data[a] ?? 0) * (1 - fx) + (data[a + 3] ?? 0) * fx;
  const lower = (data[b] ?? 0) * (1 - fx) + (data[b + 3] ?? 0) * fx;
  return upper * (1 - fy) + lower * fy;
}
