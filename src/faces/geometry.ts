import type { Face } from './face.ts';

type Points = Face['points'];
type Vector = readonly [number, number, number];

/** The greatest yaw of a usable face; one that is turned farther shows too little of one half. */
export const MOST_YAW = (40 * Math.PI) / 180;

export const FOREHEAD = 10;
export const CHIN = 152;
/** Points of the left half of the picture with their mirror images: ears, jaws, eyes, mouth. */
const PAIRS = [
  [234, 454],
  [132, 361],
  [33, 263],
  [61, 291],
] as const;

/** The extent of points in x and y. */
export function boundsOf(points: Points) {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    left = Math.min(left, points[i] ?? 0);
    right = Math.max(right, points[i] ?? 0);
    top = Math.min(top, points[i + 1] ?? 0);
    bottom = Math.max(bottom, points[i + 1] ?? 0);
  }
  return { left, top, right, bottom };
}

export function boxOf(points: Points): Face['box'] {
  const { left, top, right, bottom } = boundsOf(points);
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * The coordinate system of a face: its axes (to the right of the picture, to the chin, to the back of the head), middle and
 * height.
 */
export function frameOf(points: Points) {
  const at = (point: number, axis: number) => points[point * 3 + axis] ?? 0;
  const each = (value: (axis: number) => number) => [value(0), value(1), value(2)] as const;
  const toRight = unit(
    each((axis) => PAIRS.reduce((sum, [left, right]) => sum + at(right, axis) - at(left, axis), 0)),
  );
  const tilted = each((axis) => at(CHIN, axis) - at(FOREHEAD, axis));
  const along = dot(tilted, toRight);
  const toChin = unit(each((axis) => (tilted[axis] ?? 0) - along * (toRight[axis] ?? 0)));
  const [rx, ry, rz] = toRight;
  const [cx, cy, cz] = toChin;
  const toBack: Vector = [ry * cz - rz * cy, rz * cx - rx * cz, rx * cy - ry * cx];
  const middle = each((axis) => (at(FOREHEAD, axis) + at(CHIN, axis)) / 2);
  return { axes: [toRight, toChin, toBack] as const, middle, height: dot(tilted, toChin) };
}

export function poseOf(points: Points): Face['pose'] {
  const [toRight, toChin, toBack] = frameOf(points).axes;
  return {
    yaw: Math.atan2(toRight[2], toBack[2]),
    pitch: Math.asin(toChin[2]),
    roll: Math.atan2(-toChin[0], toChin[1]),
  };
}

/** The rotation, scale and translation that bring one face closest to another (least squares). `scale` is the enlargement. */
export function similarityTransform(from: Points, to: Points) {
  const middle = (points: Points, axis: number) => {
    let sum = 0;
    for (let i = axis; i < points.length; i += 3) sum += points[i] ?? 0;
    return (sum / points.length) * 3;
  };
  const fx = middle(from, 0);
  const fy = middle(from, 1);
  const tx = middle(to, 0);
  const ty = middle(to, 1);
  let along = 0;
  let across = 0;
  let size = 1e-9;
  for (let i = 0; i < from.length; i += 3) {
    const px = (from[i] ?? 0) - fx;
    const py = (from[i + 1] ?? 0) - fy;
    const qx = (to[i] ?? 0) - tx;
    const qy = (to[i + 1] ?? 0) - ty;
    along += px * qx + py * qy;
    across += px * qy - py * qx;
    size += px * px + py * py;
  }
  const cos = along / size;
  const sin = across / size;
  const move = (x: number, y: number): readonly [number, number] => [
    tx + (x - fx) * cos - (y - fy) * sin,
    ty + (x - fx) * sin + (y - fy) * cos,
  ];
  return { move, scale: Math.hypot(cos, sin) };
}

/** The dot product of two vectors. */
export const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0);

function unit([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}
