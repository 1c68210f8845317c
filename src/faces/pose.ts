import type { Face } from './face.ts';

type Vector = readonly [number, number, number];

/** Points of the left half of the picture, with the same ones of the right half: ears, jaws, eyes, mouth. */
const PAIRS = [
  [234, 454],
  [132, 361],
  [33, 263],
  [61, 291],
] as const;
const FOREHEAD = 10;
const CHIN = 152;

/** From the face's own directions: to the right of the picture, to the chin and to the back of the head. */
export function poseOf(points: Float32Array): Face['pose'] {
  const between = (from: number, to: number): Vector => {
    const along = (axis: number): number => (points[to * 3 + axis] ?? 0) - (points[from * 3 + axis] ?? 0);
    return [along(0), along(1), along(2)];
  };
  const right = unit(PAIRS.map(([left, other]) => between(left, other)).reduce((a, b) => add(a, b, 1)));
  const down = between(FOREHEAD, CHIN);
  const chin = unit(add(down, right, -dot(down, right)));
  const back = right[0] * chin[1] - right[1] * chin[0];
  return {
    yaw: Math.atan2(right[2], back),
    pitch: Math.asin(chin[2]),
    roll: Math.atan2(-chin[0], chin[1]),
  };
}

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

const add = (a: Vector, b: Vector, times: number): Vector => [
  a[0] + b[0] * times,
  a[1] + b[1] * times,
  a[2] + b[2] * times,
];

const unit = (a: Vector): Vector => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};
