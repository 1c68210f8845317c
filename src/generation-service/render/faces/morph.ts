import { boundsOf, similarityTransform } from '../../../faces/geometry.ts';
import { type Canvas, clamp01, createCanvas, type Mask, type Size } from '../canvas.ts';
import type { Points } from './mesh.ts';
import { movedSurroundings, surroundedPoints, surroundedTriangles } from './surroundings.ts';
import { warpMesh } from './warp.ts';

/** A photo with the points of a face, and how much each pixel belongs to a person. */
export interface Portrait {
  canvas: Canvas;
  points: Points;
  person: Mask;
}

/** The value of a pixel at the outline in the picture of distances. */
const EDGE = 127;
/** Width in pixels over which an outline fades. */
const SOFTNESS = 4;
/** Width in pixels inside of an outline where some background colour remains. */
const INSIDE = 1;

/**
 * Makes a morph of one person into another: both are cut out, warped to the face between theirs, and cross-faded before the
 * cross-faded backgrounds. Both photos must have the same size. The returned canvas is valid until the next call.
 */
export function createMorph(from: Portrait, to: Portrait) {
  const size: Size = from.canvas;
  const frame = createCanvas(size);
  const first = createSide(from);
  const last = createSide(to);
  const face = new Float32Array(from.points.length);
  /** `background` gives the share of the last background for each pixel. */
  return (share: number, background: (x: number, y: number) => number): Canvas => {
    for (let i = 0; i < face.length; i += 1)
      face[i] = (from.points[i] ?? 0) * (1 - share) + (to.points[i] ?? 0) * share;
    first.warpTo(face);
    last.warpTo(face);
    for (let y = 0; y < size.height; y += 1)
      for (let x = 0; x < size.width; x += 1) {
        const i = (y * size.width + x) * 3;
        const a = ((first.shape.data[i] ?? 0) - EDGE) / first.step;
        const b = ((last.shape.data[i] ?? 0) - EDGE) / last.step;
        const opacity = clamp01((a * (1 - share) + b * share) / SOFTNESS + 0.5);
        // Each person gives colour where they are, so hair that only one of them has stays opaque until it is gone.
        const ofFirst = (1 - share) * (clamp01((a - INSIDE) / SOFTNESS) + 1e-3);
        const ofLast = share * (clamp01((b - INSIDE) / SOFTNESS) + 1e-3);
        const other = ofLast / (ofFirst + ofLast);
        const behind = background(x, y);
        for (let k = i; k < i + 3; k += 1) {
          const scene = (first.scene.data[k] ?? 0) * (1 - behind) + (last.scene.data[k] ?? 0) * behind;
          const people = (first.person.data[k] ?? 0) * (1 - other) + (last.person.data[k] ?? 0) * other;
          frame.data[k] = scene * (1 - opacity) + people * opacity;
        }
      }
    return frame;
  };
}

function createSide({ canvas, points, person: mask }: Portrait) {
  // The reach is so large that the last ring is outside of the photo, even where the warp makes it smaller.
  const { left, right } = boundsOf(points);
  const still = surroundedPoints(points, (8 * Math.hypot(canvas.width, canvas.height)) / (right - left));
  const outline = createCanvas(canvas);
  const step = EDGE / (right - left);
  edgeDistances(canvas, mask).forEach((distance, p) => {
    outline.data.fill(EDGE + distance * step, p * 3, p * 3 + 3);
  });
  const person = createCanvas(canvas);
  const shape = createCanvas(canvas);
  return {
    /** The photo without the person, the person, and the distance of each pixel inside the person's outline. */
    scene: withoutPerson(canvas, mask),
    person,
    shape,
    /** The change of value in `shape` for one pixel of distance. */
    step,
    warpTo(face: Points): void {
      const warp = {
        from: still,
        to: movedSurroundings(still, face, similarityTransform(points, face).move),
        triangles: surroundedTriangles,
      };
      warpMesh(person, { source: canvas, ...warp });
      warpMesh(shape, { source: outline, ...warp });
    },
  };
}

/** The distance in pixels of each pixel inside of the outline; negative outside. */
function edgeDistances({ width, height }: Size, mask: Mask): Float32Array {
  const far = width + height;
  const to = (isInside: boolean) => {
    const distances = Float32Array.from(mask, (value) => (value > 0.5 === isInside ? far : 0));
    const relax = (p: number, other: number, cost: number) => {
      const distance = (distances[other] ?? far) + cost;
      if (distance < (distances[p] ?? 0)) distances[p] = distance;
    };
    for (let p = 0; p < distances.length; p += 1) {
      if (p % width > 0) relax(p, p - 1, 1);
      relax(p, p - width, 1);
      if (p % width < width - 1) relax(p, p - width + 1, Math.SQRT2);
      if (p % width > 0) relax(p, p - width - 1, Math.SQRT2);
    }
    for (let p = distances.length - 1; p >= 0; p -= 1) {
      if (p % width < width - 1) relax(p, p + 1, 1);
      relax(p, p + width, 1);
      if (p % width > 0) relax(p, p + width - 1, Math.SQRT2);
      if (p % width < width - 1) relax(p, p + width + 1, Math.SQRT2);
    }
    return distances;
  };
  const inside = to(true);
  const outside = to(false);
  return inside.map((distance, p) => (distance > 0 ? distance - 0.5 : 0.5 - (outside[p] ?? 0)));
}

/** Removes people from a photo: the surroundings grow into the hole, coarser with distance (pull-push over a pyramid). */
function withoutPerson(photo: Canvas, person: Mask): Canvas {
  const levels: { width: number; height: number; data: Float32Array }[] = [];
  const first = { ...photo, data: new Float32Array(person.length * 4) };
  for (let p = 0; p < person.length; p += 1) {
    // The edge of a cut-out contains some of the person's colour, so it is removed as well.
    const weight = (person[p] ?? 0) > 0.04 ? 0 : 1;
    for (let k = 0; k < 3; k += 1) first.data[p * 4 + k] = (photo.data[p * 3 + k] ?? 0) * weight;
    first.data[p * 4 + 3] = weight;
  }
  levels.push(first);
  for (let level = first; level.width > 1 || level.height > 1; ) {
    const half = { width: (level.width + 1) >> 1, height: (level.height + 1) >> 1 };
    const next = { ...half, data: new Float32Array(half.width * half.height * 4) };
    for (let y = 0; y < level.height; y += 1)
      for (let x = 0; x < level.width; x += 1)
        for (let k = 0; k < 4; k += 1) {
          const to = ((y >> 1) * half.width + (x >> 1)) * 4 + k;
          next.data[to] = (next.data[to] ?? 0) + (level.data[(y * level.width + x) * 4 + k] ?? 0) / 4;
        }
    levels.push(next);
    level = next;
  }
  // From coarse to fine: known pixels stay, and missing ones are taken from the coarser level.
  for (let n = levels.length - 2; n >= 0; n -= 1) {
    const level = levels[n];
    const coarse = levels[n + 1];
    if (level === undefined || coarse === undefined) continue;
    for (let y = 0; y < level.height; y += 1)
      for (let x = 0; x < level.width; x += 1) {
        const i = (y * level.width + x) * 4;
        const missing = 1 - Math.min(1, level.data[i + 3] ?? 0);
        if (missing === 0) continue;
        const sx = Math.min(coarse.width - 1, Math.max(0, x / 2 - 0.25));
        const sy = Math.min(coarse.height - 1, Math.max(0, y / 2 - 0.25));
        for (let k = 0; k < 4; k += 1)
          level.data[i + k] = (level.data[i + k] ?? 0) + smooth(coarse, sx, sy, k) * missing;
      }
  }
  const scene = createCanvas(photo);
  for (let p = 0; p < person.length; p += 1) {
    const weight = first.data[p * 4 + 3] || 1;
    for (let k = 0; k < 3; k += 1) scene.data[p * 3 + k] = (first.data[p * 4 + k] ?? 0) / weight;
  }
  return scene;
}

function smooth(
  { width, height, data }: { width: number; height: number; data: Float32Array },
  x: number,
  y: number,
  channel: number,
): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const x1 = Math.min(width - 1, x0 + 1);
  const y1 = Math.min(height - 1, y0 + 1);
  const at = (column: number, row: number) => data[(row * width + column) * 4 + channel] ?? 0;
  const upper = at(x0, y0) * (1 - x + x0) + at(x1, y0) * (x - x0);
  const lower = at(x0, y1) * (1 - x + x0) + at(x1, y1) * (x - x0);
  return upper * (1 - y + y0) + lower * (y - y0);
}
