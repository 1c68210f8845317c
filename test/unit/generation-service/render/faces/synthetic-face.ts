import { canonicalPoints, type Points } from '../../../../../src/generation-service/render/faces/mesh.ts';

/** The face that nobody has, in the middle of a picture, `height` pixels high. */
export function syntheticPoints(x: number, y: number, height: number): Points {
  const scale = height / 17.7;
  return canonicalPoints.map((value, i) => value * scale + (i % 3 === 0 ? x : i % 3 === 1 ? y : 0));
}
