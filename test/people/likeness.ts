import sharp from 'sharp';
import type { Face } from '../../src/faces/face.ts';
import { blurred, createCanvas, lumaPlane, readCanvas } from '../../src/generation-service/render/canvas.ts';
import { canonicalPoints, meshTriangles } from '../../src/generation-service/render/faces/mesh.ts';
import { warpMesh } from '../../src/generation-service/render/faces/warp.ts';

const SIDE = 72;

/** The brightness of the middle of a face, the same place of every face at the same pixel, without light and contrast. */
export async function alignedPatch(picture: Uint8Array, { points }: Face): Promise<Float32Array> {
  const source = await readCanvas(sharp(picture).flatten());
  const target = createCanvas({ width: SIDE, height: SIDE });
  const to = canonicalPoints.map((value, i) => (i % 3 === 2 ? value : (value / 20) * SIDE + SIDE / 2));
  warpMesh(target, { source, from: points, to, triangles: meshTriangles });
  const isInside = (_: number, i: number) =>
    Math.hypot((i % SIDE) / SIDE - 0.5, (Math.floor(i / SIDE) / SIDE - 0.5) * 0.8) < 0.3;
  // A slow change over a face is the scene's light.
  const slow = lumaPlane(await blurred(target, SIDE / 9));
  const inside = lumaPlane(target)
    .map((value, i) => value - (slow[i] ?? 0))
    .filter(isInside);
  const mean = inside.reduce((sum, value) => sum + value, 0) / inside.length;
  const spread = Math.sqrt(inside.reduce((sum, value) => sum + (value - mean) ** 2, 0) / inside.length) || 1;
  return inside.map((value) => (value - mean) / spread);
}

/** How alike two faces are in what sets them apart from the average face: 1 for the same one, about 0 for others. */
export function likeness(a: Float32Array, b: Float32Array, average: Float32Array): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (const [i, usual] of average.entries()) {
    const x = (a[i] ?? 0) - usual;
    const y = (b[i] ?? 0) - usual;
    product += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return product / Math.sqrt(squaresA * squaresB);
}
