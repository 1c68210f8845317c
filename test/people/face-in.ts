import type { Face } from '../../src/faces/face.ts';

/** A face as it would be found there, upright. */
export const faceIn = (box: Face['box'], points: Float32Array = new Float32Array(1_404), yaw = 0): Face => ({
  points,
  box,
  score: 1,
  pose: { yaw, pitch: 0, roll: 0 },
});
