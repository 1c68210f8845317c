import { boundsOf, similarityTransform } from '../../../faces/geometry.ts';
import {
  type Canvas,
  copyCanvas,
  createCanvas,
  drawLayer,
  luma,
  type Mask,
  type Rgb,
  type Size,
  smoothstep,
} from '../canvas.ts';
import { canonicalPoints, EYES, LIPS, OVAL, POINT_COUNT, type Points, trianglesInOrder } from './mesh.ts';
import { drawFace } from './place.ts';
import { sample, warpMesh } from './warp.ts';

/** The share of the receiver's shape in the middle of a swapped face; at the outline it is 1. */
const SHAPE = 0.45;
/** Softness of the edge, in widths of the face. */
const FEATHER = 0.16;
/** Distance over which the light of skin is averaged, in units of the canonical face, which is 18 high. */
const SMOOTH = 3;
/** Pixels brighter or darker than the skin by more than this factor are hair, glasses or reflections. */
const NOT_SKIN = 1.7;

/** Gives everybody the face of the person to their right in the picture; the last person gets that of the first. */
export function swapFaces(canvas: Canvas, faces: readonly Points[]): Canvas {
  const people = faces.toSorted((a, b) => middleOf(a)[0] - middleOf(b)[0]);
  const photo = copyCanvas(canvas);
  people.forEach((receiver, index) => {
    const giver = people[(index + 1) % people.length] ?? receiver;
    const to = fitted(giver, receiver);
    const layer = copyCanvas(photo);
    drawFace(layer, { canvas: photo, points: giver }, to);
    const mask = softOutline(canvas, to);
    tone(layer, mask, toneMap(canvas, to, skinTone(photo, giver, receiver)));
    drawLayer(canvas, layer, mask);
  });
  return canvas;
}

function middleOf(points: Points): readonly [x: number, y: number] {
  const { left, top, right, bottom } = boundsOf(points);
  return [(left + right) / 2, (top + bottom) / 2];
}

/** The nearness of each point to the outline: 1 on the outline of the face, 0 in its middle. */
const nearOutline = Float32Array.from({ length: POINT_COUNT }, (_, point) => {
  const nearest = Math.min(...OVAL.map((other) => distanceOf(point, other)));
  return 1 - smoothstep(nearest / 4);
});

function distanceOf(a: number, b: number): number {
  const along = (axis: number) => (canonicalPoints[a * 3 + axis] ?? 0) - (canonicalPoints[b * 3 + axis] ?? 0);
  return Math.hypot(along(0), along(1));
}

/** The giver's shape, scaled and turned like the receiver's face, with the receiver's outline. */
function fitted(giver: Points, receiver: Points): Points {
  const { move, scale } = similarityTransform(giver, receiver);
  return receiver.map((value, i) => {
    const [gx = 0, gy = 0, gz = 0] = giver.subarray(i - (i % 3));
    const own = [...move(gx, gy), gz * scale][i % 3] ?? 0;
    const share = SHAPE + (1 - SHAPE) * (nearOutline[Math.floor(i / 3)] ?? 0);
    return own + (value - own) * share;
  });
}

const notSkin = new Set<number>([
  ...OVAL,
  ...EYES.flatMap(({ upper, lower, brow }) => [...upper, ...lower, ...brow]),
  ...Object.values(LIPS).flat(),
]);
const skinPoints = Array.from({ length: POINT_COUNT }, (_, point) => point).filter(
  (point) => !notSkin.has(point),
);

/**
 * The change at each point that gives the face the receiver's skin tone and light, measured on skin alone and without its
 * detail. A value below 0 is the logarithm of a factor. A value above 0 is the logarithm of a ratio of odds (brightness to
 * darkness), because a factor would burn out bright parts.
 */
function skinTone(photo: Canvas, giver: Points, receiver: Points): Float32Array {
  const own = skinSamples(photo, giver);
  const wanted = skinSamples(photo, receiver);
  const shifts = new Float32Array(POINT_COUNT * 3);
  for (let point = 0; point < POINT_COUNT; point += 1) {
    const from = near(own, point);
    const to = near(wanted, point);
    for (const k of [0, 1, 2] as const)
      shifts[point * 3 + k] = Math.log(
        to[k] < from[k] ? (to[k] + 2) / (from[k] + 2) : oddsOf(to[k]) / oddsOf(from[k]),
      );
  }
  return shifts;
}

const oddsOf = (value: number): number => (value + 2) / (257 - value);

/** Shifts are drawn as colours: grey is 0, black and white are plus and minus this value. */
const MOST_SHIFT = 3;
const GREY = 127.5;

function toneMap(size: Size, points: Points, shifts: Float32Array): Canvas {
  const map = createCanvas(size);
  const source = createCanvas({ width: 2, height: 2 }, '#ffffff');
  const light = shifts.map((shift) => Math.min(1, Math.max(0, (shift / MOST_SHIFT + 1) / 2)));
  const from = new Float32Array(points.length);
  warpMesh(map, { source, from, to: points, triangles: trianglesInOrder(points), light });
  return map;
}

function tone({ data }: Canvas, mask: Mask, map: Canvas): void {
  for (let p = 0; p < mask.length; p += 1) {
    if (mask[p] === 0) continue;
    // Eyes and teeth are white and hardly darkened; skin is red or brown.
    const least = Math.min(data[p * 3] ?? 0, data[p * 3 + 1] ?? 0, data[p * 3 + 2] ?? 0);
    const white = smoothstep((least - 165) / 60);
    for (let i = p * 3; i < p * 3 + 3; i += 1) {
      const shift = (((map.data[i] ?? 0) - GREY) / GREY) * MOST_SHIFT;
      const odds = oddsOf(data[i] ?? 0) * Math.exp(shift);
      data[i] =
        shift < 0 ? (data[i] ?? 0) * Math.exp(shift * (1 - 0.7 * white)) : (odds * 257 - 2) / (1 + odds);
    }
  }
}

type Skin = readonly { readonly point: number; readonly colour: Rgb }[];

function skinSamples(photo: Canvas, points: Points): Skin {
  const all = skinPoints.map((point) => {
    const [x = 0, y = 0] = points.subarray(point * 3);
    const colour: Rgb = [sample(photo, x, y, 0), sample(photo, x, y, 1), sample(photo, x, y, 2)];
    return { point, colour };
  });
  const sorted = all.map(({ colour }) => luma(colour, 0)).toSorted((a, b) => a - b);
  const usual = sorted[sorted.length >> 1] ?? 0;
  return all.filter(({ colour }) => {
    const ratio = (luma(colour, 0) + 4) / (usual + 4);
    return ratio < NOT_SKIN && ratio > 1 / NOT_SKIN;
  });
}

/** The mean colour of skin around a point. */
function near(skin: Skin, point: number): Rgb {
  const sums: [number, number, number] = [0, 0, 0];
  let weights = 1e-9;
  for (const { point: other, colour } of skin) {
    const weight = Math.exp(-((distanceOf(point, other) / SMOOTH) ** 2) / 2) + 1e-3;
    weights += weight;
    for (const k of [0, 1, 2] as const) sums[k] += weight * colour[k];
  }
  return [sums[0] / weights, sums[1] / weights, sums[2] / weights];
}

/** A mask that is opaque in the middle of the face and transparent at its outline. */
function softOutline({ width, height }: Size, points: Points): Mask {
  const mask = new Float32Array(width * height);
  const { left, top, right, bottom } = boundsOf(points);
  const feather = (right - left) * FEATHER;
  const outline = OVAL.flatMap((point) => [points[point * 3] ?? 0, points[point * 3 + 1] ?? 0]);
  for (let y = Math.max(0, Math.floor(top)); y < Math.min(height, bottom); y += 1)
    for (let x = Math.max(0, Math.floor(left)); x < Math.min(width, right); x += 1)
      mask[y * width + x] = smoothstep(depthIn(outline, x, y) / feather);
  return mask;
}

/** The distance of a place inside the outline (x, y of each corner); 0 outside. */
function depthIn(outline: readonly number[], x: number, y: number): number {
  let isInside = false;
  let nearest = Number.POSITIVE_INFINITY;
  let ax = outline.at(-2) ?? 0;
  let ay = outline.at(-1) ?? 0;
  for (let i = 0; i < outline.length; i += 2) {
    const bx = outline[i] ?? 0;
    const by = outline[i + 1] ?? 0;
    const dx = bx - ax;
    const dy = by - ay;
    const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    nearest = Math.min(nearest, (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2);
    if (ay > y !== by > y && x < ax + ((y - ay) / dy) * dx) isInside = !isInside;
    ax = bx;
    ay = by;
  }
  return isInside ? Math.sqrt(nearest) : 0;
}
