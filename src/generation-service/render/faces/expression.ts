import { frameOf } from '../../../faces/geometry.ts';
import { clamp01, smoothstep } from '../canvas.ts';
import { canonicalPoints, EYES, LIPS, OVAL, POINT_COUNT, type Points } from './mesh.ts';
import { turnPoints } from './place.ts';

/** How much a face differs from the photo: 0 is as in the photo, 1 is a clear expression. */
export interface Expression {
  smile: number;
  /** How far the mouth is open. */
  open: number;
  /** How narrow the mouth is, as in "oh". */
  round: number;
  brows: number;
  /** How far each eye is closed, the one at the left of the picture first. */
  lids: readonly [left: number, right: number];
  /** Radians, as in the pose of a face. */
  yaw: number;
  pitch: number;
  roll: number;
}

/** The most that a head is turned, in radians; a larger turn would tear ears off the head. */
const MOST_TURN = 0.16;

/** The displacement of each point of the canonical face, in its unit, about a centimetre. */
type Shape = Float32Array;

const x = (point: number) => canonicalPoints[point * 3] ?? 0;
const y = (point: number) => canonicalPoints[point * 3 + 1] ?? 0;

/** Makes a shape that pulls at points of the left half and at their mirror images; other points follow, less with distance. */
function pull(...hands: [at: number, radius: number, dx: number, dy: number, dz: number][]): Shape {
  const shape = new Float32Array(POINT_COUNT * 3);
  for (let point = 0; point < POINT_COUNT; point += 1)
    for (const [at, radius, dx, dy, dz] of hands)
      for (const side of [1, -1]) {
        const distance = Math.hypot(x(point) - x(at) * side, y(point) - y(at));
        const share = Math.exp(-((distance / radius) ** 2)) * (x(at) === 0 ? 0.5 : 1);
        shape[point * 3] = (shape[point * 3] ?? 0) + dx * side * share;
        shape[point * 3 + 1] = (shape[point * 3 + 1] ?? 0) + dy * share;
        shape[point * 3 + 2] = (shape[point * 3 + 2] ?? 0) + dz * share;
      }
  return shape;
}

const MOUTH_LINE = 4.3;
const MOUTH_CORNER = 2.46;
/** Rows of the lips below the mouth's opening, and above it. */
const LOWER_LIP = [
  ...LIPS.lowerInner,
  ...LIPS.lowerOuter,
  ...[95, 96, 62, 77, 76, 89, 90, 179, 180, 86, 85, 15, 16, 316, 315, 403, 404, 319, 320, 325, 307, 292, 306],
];
const UPPER_LIP = [
  ...LIPS.upperInner,
  ...LIPS.upperOuter,
  ...[183, 184, 42, 74, 41, 73, 38, 72, 12, 11, 268, 302, 271, 303, 272, 304, 407, 408],
];

/**
 * Makes the shape of a jaw that goes down: the chin moves as a whole, the lower lip most in its middle, the upper lip hardly.
 */
function jaw(): Shape {
  const shape = new Float32Array(POINT_COUNT * 3);
  const lower = new Set(LOWER_LIP);
  const upper = new Set(UPPER_LIP);
  for (let point = 0; point < POINT_COUNT; point += 1) {
    const below = smoothstep((y(point) - MOUTH_LINE + 0.6) / 2.2);
    const chin = below * smoothstep(1 - (Math.abs(x(point)) - 2) / 4.5);
    const lip = clamp01(1 - (x(point) / MOUTH_CORNER) ** 2) ** 0.7;
    let fall = 0.85 * chin;
    if (lower.has(point)) fall = lip;
    else if (upper.has(point)) fall = -0.1 * lip;
    shape[point * 3 + 1] = fall;
  }
  return shape;
}

const SMILE = pull(
  [61, 1.7, -0.42, -0.5, 0.25],
  [205, 2.4, -0.1, -0.28, -0.15],
  [50, 1.6, 0, -0.16, 0],
  [145, 0.8, 0, -0.12, 0],
  [0, 1.2, 0, -0.05, 0.15],
  [17, 1.2, 0, -0.12, 0.15],
);
const OPEN = jaw();
const ROUND = pull([61, 1.5, 0.5, 0.05, -0.25], [0, 1, 0, -0.12, -0.2], [17, 1, 0, 0.12, -0.2]);
const BROWS = pull([105, 1.7, 0, -0.5, 0], [107, 1.2, 0, -0.3, 0], [159, 0.55, 0, -0.14, 0]);
/** Shapes of the closing lids, which move the skin around them a little. */
const LIDS = EYES.map(({ upper, lower }) => {
  const shape = new Float32Array(POINT_COUNT * 3);
  for (const point of lower.slice(1, -1)) shape[point * 3 + 1] = -0.08;
  for (const point of upper.slice(1, -1)) shape[point * 3 + 1] = 0.03;
  return shape;
});

/** How much each point follows the turn of the head; less at the outline, where ears and hair do not turn with it. */
const TURNS = Float32Array.from({ length: POINT_COUNT }, (_, point) => {
  const distance = Math.min(...OVAL.map((other) => Math.hypot(x(other) - x(point), y(other) - y(point))));
  return 0.72 + 0.28 * smoothstep(distance / 3);
});

/** The pivot of the head: behind the face, at the height of the mouth, in heights of the face. */
const PIVOT = [0, 0.22, 0.5] as const;

/** Reduces the depth of the steep sides of a face: the photo shows little of them, so a turn must not stretch them. */
function flattened(depth: number, height: number): number {
  const start = (0.1 - PIVOT[2]) * height;
  return depth > start ? start + (depth - start) * 0.4 : depth;
}

/** Moves the points of a face to make an expression. */
export function expressPoints(points: Points, expression: Expression): Points {
  const { axes, middle, height } = frameOf(points);
  const unit = height / 17.7;
  const { smile, open, round, brows, lids } = expression;
  const shapes: [Shape | undefined, number][] = [
    [SMILE, smile],
    [OPEN, open],
    [ROUND, round],
    [BROWS, brows],
    [LIDS[0], lids[0]],
    [LIDS[1], lids[1]],
  ];
  const bounded = (angle: number) => Math.min(MOST_TURN, Math.max(-MOST_TURN, angle));
  const pose = {
    yaw: bounded(expression.yaw),
    pitch: bounded(expression.pitch),
    roll: bounded(expression.roll),
  };
  const own = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3)
    for (let axis = 0; axis < 3; axis += 1) {
      let value = -(PIVOT[axis] ?? 0) * height;
      for (let k = 0; k < 3; k += 1)
        value += ((points[i + k] ?? 0) - (middle[k] ?? 0)) * (axes[axis]?.[k] ?? 0);
      own[i + axis] = axis === 2 ? flattened(value, height) : value;
    }
  const turned = turnPoints(own, pose);
  const moved = new Float32Array(points);
  const shift = [0, 0, 0];
  for (let i = 0; i < points.length; i += 3) {
    const follows = TURNS[i / 3] ?? 0;
    for (let axis = 0; axis < 3; axis += 1) {
      let value = ((turned[i + axis] ?? 0) - (own[i + axis] ?? 0)) * follows;
      for (const [shape, strength] of shapes) value += (shape?.[i + axis] ?? 0) * strength * unit;
      shift[axis] = value;
    }
    for (let k = 0; k < 3; k += 1)
      for (let axis = 0; axis < 3; axis += 1)
        moved[i + k] = (moved[i + k] ?? 0) + (shift[axis] ?? 0) * (axes[axis]?.[k] ?? 0);
  }
  return moved;
}
