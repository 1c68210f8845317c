import sharp from 'sharp';
import type { Face } from '../../../faces/face.ts';
import { boundsOf, CHIN, dot, FOREHEAD, frameOf } from '../../../faces/geometry.ts';
import { type Canvas, type Mask, readCanvas, smoothstep } from '../canvas.ts';
import { mirroredPoint, normalsOf, POINT_COUNT, type Points, trianglesInOrder } from './mesh.ts';
import { sample, warpMesh } from './warp.ts';

/** The place of a face in a drawing. */
export interface Seat {
  /** The middle of the line from the top of the forehead to the chin. */
  centre: { x: number; y: number };
  /** The height from the top of the forehead to the chin. */
  height: number;
}

/** Moves a face to a seat: it keeps its shape, looks into the camera and has the seat's height. */
export function placeFace({ points }: Pick<Face, 'points'>, { centre, height }: Seat): Points {
  const placed = uprightPoints(points);
  const size = (placed[CHIN * 3 + 1] ?? 0) - (placed[FOREHEAD * 3 + 1] ?? 0);
  const middle = (axis: number) => ((placed[FOREHEAD * 3 + axis] ?? 0) + (placed[CHIN * 3 + axis] ?? 0)) / 2;
  const x = middle(0);
  const y = middle(1);
  const scale = height / size;
  for (let i = 0; i < placed.length; i += 3) {
    placed[i] = ((placed[i] ?? 0) - x) * scale + centre.x;
    placed[i + 1] = ((placed[i + 1] ?? 0) - y) * scale + centre.y;
    placed[i + 2] = (placed[i + 2] ?? 0) * scale;
  }
  return placed;
}

/**
 * Turns points around the origin. Yaw looks to the right of the picture, pitch down, roll tilts the head clockwise.
 */
export function turnPoints(points: Points, { yaw, pitch, roll }: Face['pose']): Points {
  const turned = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const [x0 = 0, y0 = 0, z0 = 0] = points.subarray(i, i + 3);
    const x1 = x0 * Math.cos(yaw) - z0 * Math.sin(yaw);
    const z1 = x0 * Math.sin(yaw) + z0 * Math.cos(yaw);
    const y1 = y0 * Math.cos(pitch) - z1 * Math.sin(pitch);
    turned[i] = x1 * Math.cos(roll) - y1 * Math.sin(roll);
    turned[i + 1] = x1 * Math.sin(roll) + y1 * Math.cos(roll);
    turned[i + 2] = y0 * Math.sin(pitch) + z1 * Math.cos(pitch);
  }
  return turned;
}

/** Turns a face to look into the camera, centred on the origin. */
function uprightPoints(points: Points): Points {
  const { axes, middle } = frameOf(points);
  const upright = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const offset = middle.map((value, axis) => (points[i + axis] ?? 0) - value);
    upright.set(
      axes.map((axis) => dot(offset, axis)),
      i,
    );
  }
  return upright;
}

/** A part of a photo with one face, and the face's points in it. */
export interface FacePicture {
  canvas: Canvas;
  points: Points;
}

const MARGIN = 0.35;

/** Reads the part of a photo around a face, so large that the face is about `height` pixels high. */
export async function readFace(photo: Uint8Array, face: Face, height: number): Promise<FacePicture> {
  const { autoOrient } = await sharp(photo).metadata();
  const { left, top, right, bottom } = boundsOf(face.points);
  const margin = (bottom - top) * MARGIN;
  const x = Math.max(0, Math.floor(left - margin));
  const y = Math.max(0, Math.floor(top - margin));
  const width = Math.max(2, Math.min(autoOrient.width, Math.ceil(right + margin)) - x);
  const rows = Math.max(2, Math.min(autoOrient.height, Math.ceil(bottom + margin)) - y);
  const scale = Math.min(2, height / (bottom - top));
  const size = {
    width: Math.max(2, Math.round(width * scale)),
    height: Math.max(2, Math.round(rows * scale)),
  };
  const part = sharp(photo).autoOrient().extract({ left: x, top: y, width, height: rows });
  const canvas = await readCanvas(part.resize(size.width, size.height, { fit: 'fill' }));
  const across = size.width / width;
  const down = size.height / rows;
  const points = face.points.map((value, i) => {
    const axis = i % 3;
    if (axis === 0) return (value - x) * across;
    if (axis === 1) return (value - y) * down;
    return value * across;
  });
  return { canvas, points };
}

/** Draws a face at new points; parts that the photo does not show are filled from the other half of the face. */
export function drawFace(
  target: Canvas,
  { canvas, points }: FacePicture,
  to: Points,
  { light, mask }: { light?: Float32Array; mask?: Mask } = {},
): void {
  const fill = hiddenHalf(canvas, points);
  const own = light ?? new Float32Array(points.length).fill(1);
  const lit = fill === undefined ? light : own.map((value, i) => value * (fill.light[i] ?? 1));
  const warp = { source: canvas, from: points, to, triangles: trianglesInOrder(to) };
  warpMesh(target, { ...warp, ...(lit && { light: lit }), ...(fill && { fill }) }, mask);
}

/** A cheek is filled from the other one if less than this share of it faces the camera. */
const SEEN = 0.45;

/** For each point, how much is to be filled from the other half; undefined if the face looks into the camera. */
function hiddenHalf(canvas: Canvas, points: Points) {
  const normals = normalsOf(points);
  const share = new Float32Array(POINT_COUNT);
  for (let point = 0; point < POINT_COUNT; point += 1) {
    const seen = -(normals[point * 3 + 2] ?? 0);
    const other = -(normals[(mirroredPoint[point] ?? 0) * 3 + 2] ?? 0);
    if (other > seen) share[point] = smoothstep((SEEN - seen) / 0.3) * smoothstep((other - seen - 0.2) / 0.3);
  }
  if (share.every((value) => value === 0)) return undefined;
  const from = new Float32Array(points.length);
  const light = new Float32Array(points.length).fill(1);
  for (let point = 0; point < POINT_COUNT; point += 1) {
    const mirrored = (mirroredPoint[point] ?? 0) * 3;
    from.set(points.subarray(mirrored, mirrored + 3), point * 3);
  }
  // The halves differ in light, so the filled part gets the light of the half that it is for.
  for (let k = 0; k < 3; k += 1) {
    const ratios: number[] = [];
    for (let point = 0; point < POINT_COUNT; point += 1) {
      if ((share[point] ?? 0) < 0.02 || (share[point] ?? 0) > 0.6) continue;
      const own = sample(canvas, points[point * 3] ?? 0, points[point * 3 + 1] ?? 0, k);
      ratios.push((own + 1) / (sample(canvas, from[point * 3] ?? 0, from[point * 3 + 1] ?? 0, k) + 1));
    }
    ratios.sort((a, b) => a - b);
    const gain = Math.min(1.3, Math.max(0.7, ratios[ratios.length >> 1] ?? 1));
    for (let point = 0; point < POINT_COUNT; point += 1)
      light[point * 3 + k] = 1 + (gain - 1) * (share[point] ?? 0);
  }
  return { from, share, light };
}
