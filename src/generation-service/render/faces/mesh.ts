import { POINTS_TABLE, TRIANGLES_TABLE } from './mesh-table.ts';

/** x, y, z of each point: x to the right, y down, z away from the camera. */
export type Points = Float32Array;

export const POINT_COUNT = 468;

/** The mean face, centred, upright, about 18 units high; used for properties that hold for every face. */
export const canonicalPoints: Points = Float32Array.from(
  new Int16Array(bytesOf(POINTS_TABLE)),
  (value) => value / 1000,
);

/** The three points of each triangle. The triangles cover the whole face including eyes and mouth. */
export const meshTriangles = new Uint16Array(bytesOf(TRIANGLES_TABLE));

/** For each point, its mirror image in the other half of the face. */
export const mirroredPoint = Uint16Array.from({ length: POINT_COUNT }, (_, point) => {
  const [x = 0, y = 0, z = 0] = canonicalPoints.subarray(point * 3);
  const distance = (other: number) => {
    const [ox = 0, oy = 0, oz = 0] = canonicalPoints.subarray(other * 3);
    return Math.hypot(ox + x, oy - y, oz - z);
  };
  let nearest = 0;
  for (let other = 1; other < POINT_COUNT; other += 1)
    if (distance(other) < distance(nearest)) nearest = other;
  return nearest;
});

/** The outline of the face, from the top of the forehead along the right side of the picture. */
export const OVAL = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
  150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
] as const;

interface Eye {
  /** Edges of the lids from the left to the right of the picture, corners included. */
  readonly upper: readonly number[];
  readonly lower: readonly number[];
  readonly brow: readonly number[];
}

/** The eyes, the one at the left of the picture first. */
export const EYES: readonly [left: Eye, right: Eye] = [
  {
    upper: [33, 246, 161, 160, 159, 158, 157, 173, 133],
    lower: [33, 7, 163, 144, 145, 153, 154, 155, 133],
    brow: [70, 63, 105, 66, 107, 46, 53, 52, 65, 55],
  },
  {
    upper: [362, 398, 384, 385, 386, 387, 388, 466, 263],
    lower: [362, 382, 381, 380, 374, 373, 390, 249, 263],
    brow: [336, 296, 334, 293, 300, 285, 295, 282, 283, 276],
  },
];

/** Edges of the lips from the left to the right of the picture, corners included. */
export const LIPS = {
  upperOuter: [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
  upperInner: [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
  lowerInner: [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
  lowerOuter: [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291],
} as const;

function bytesOf(table: string): ArrayBuffer {
  return Uint8Array.from(Buffer.from(table, 'base64')).buffer;
}

/** The triangles in painter's order: those that face away first, then from far to near. */
export function trianglesInOrder(points: Points, triangles: Uint16Array = meshTriangles): Uint16Array {
  const at = (index: number, axis: number) => points[(triangles[index] ?? 0) * 3 + axis] ?? 0;
  const keys = Array.from({ length: triangles.length / 3 }, (_, triangle) => {
    const i = triangle * 3;
    const ax = at(i, 0);
    const ay = at(i, 1);
    const area = (at(i + 1, 0) - ax) * (at(i + 2, 1) - ay) - (at(i + 2, 0) - ax) * (at(i + 1, 1) - ay);
    return { i, away: area > 0 ? 1 : 0, depth: at(i, 2) + at(i + 1, 2) + at(i + 2, 2) };
  });
  keys.sort((a, b) => b.away - a.away || b.depth - a.depth);
  return Uint16Array.from(keys.flatMap(({ i }) => [...triangles.subarray(i, i + 3)]));
}

/** The normal of each point, as a unit vector out of the face. */
export function normalsOf(points: Points, triangles: Uint16Array = meshTriangles): Float32Array {
  const normals = new Float32Array(points.length);
  const at = (point: number, axis: number) => points[point * 3 + axis] ?? 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a = 0, b = 0, c = 0] = triangles.subarray(i, i + 3);
    const ux = at(b, 0) - at(a, 0);
    const uy = at(b, 1) - at(a, 1);
    const uz = at(b, 2) - at(a, 2);
    const vx = at(c, 0) - at(a, 0);
    const vy = at(c, 1) - at(a, 1);
    const vz = at(c, 2) - at(a, 2);
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const point of [a, b, c])
      for (let axis = 0; axis < 3; axis += 1)
        normals[point * 3 + axis] = (normals[point * 3 + axis] ?? 0) + (normal[axis] ?? 0);
  }
  for (let i = 0; i < normals.length; i += 3) {
    const [x = 0, y = 0, z = 0] = normals.subarray(i, i + 3);
    const length = Math.hypot(x, y, z) || 1;
    normals.set([x / length, y / length, z / length], i);
  }
  return normals;
}
