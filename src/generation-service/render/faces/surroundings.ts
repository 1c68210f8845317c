import { smoothstep } from '../canvas.ts';
import { meshTriangles, OVAL, POINT_COUNT, type Points } from './mesh.ts';

/**
 * Rings around the face, in multiples of its outline. They move hair and ears along, less with distance; the last one does not
 * move.
 */
const RINGS = [1.1, 1.25, 1.45, 1.7, 2];

/** The triangles of the face, and those between its outline and the rings. */
export const surroundedTriangles = Uint16Array.from([
  ...RINGS.flatMap((_, ring) =>
    OVAL.flatMap((_point, i) => {
      const next = (i + 1) % OVAL.length;
      const inner = (k: number) => (ring === 0 ? (OVAL[k] ?? 0) : POINT_COUNT + (ring - 1) * OVAL.length + k);
      const outer = (k: number) => POINT_COUNT + ring * OVAL.length + k;
      return [inner(i), outer(next), outer(i), inner(i), inner(next), outer(next)];
    }),
  ),
  ...meshTriangles,
]);

/** The points of the face and of the rings around it; `reach` scales the distance of the rings. */
export function surroundedPoints(points: Points, reach = 1): Points {
  const middle = [0, 1].map(
    (axis) => OVAL.reduce((sum, p) => sum + (points[p * 3 + axis] ?? 0), 0) / OVAL.length,
  );
  return extended(points, (point, ring) =>
    [0, 1, 2].map((axis) => {
      const value = points[point * 3 + axis] ?? 0;
      const size = 1 + ((RINGS[ring] ?? 1) - 1) * reach;
      return axis === 2 ? value : (middle[axis] ?? 0) + (value - (middle[axis] ?? 0)) * size;
    }),
  );
}

/** Moves the rings when the points of the face go from `still` to `moved`; far away they follow `move`. */
export function movedSurroundings(
  still: Points,
  moved: Points,
  move: (x: number, y: number) => readonly [number, number] = (x, y) => [x, y],
): Points {
  const at = (place: number) => move(still[place] ?? 0, still[place + 1] ?? 0);
  return extended(moved, (point, ring, place) => {
    const share = smoothstep((RINGS.length - 1 - ring) / RINGS.length);
    const [[x, y], [fromX, fromY]] = [at(place), at(point * 3)];
    return [
      x + ((moved[point * 3] ?? 0) - fromX) * share,
      y + ((moved[point * 3 + 1] ?? 0) - fromY) * share,
      still[place + 2] ?? 0,
    ];
  });
}

function extended(points: Points, at: (point: number, ring: number, place: number) => number[]): Points {
  const all = new Float32Array((POINT_COUNT + RINGS.length * OVAL.length) * 3);
  all.set(points.subarray(0, POINT_COUNT * 3));
  for (const [ring] of RINGS.entries())
    for (const [i, point] of OVAL.entries()) {
      const place = (POINT_COUNT + ring * OVAL.length + i) * 3;
      all.set(at(point, ring, place), place);
    }
  return all;
}
