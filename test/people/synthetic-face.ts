import type { Expression } from '../../src/generation-service/render/faces/expression.ts';
import { canonicalPoints, type Points } from '../../src/generation-service/render/faces/mesh.ts';

/** The face that nobody has, in the middle of a picture, `height` pixels high. */
export function syntheticPoints(x: number, y: number, height: number): Points {
  const scale = height / 17.7;
  return canonicalPoints.map((value, i) => value * scale + (i % 3 === 0 ? x : i % 3 === 1 ? y : 0));
}

const still = { yaw: 0, pitch: 0, roll: 0 };
export const CALM: Expression = { smile: 0, open: 0, round: 0, brows: 0, lids: [0, 0], ...still };
