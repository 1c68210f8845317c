import { luma, type Rgb } from '../canvas.ts';
import { normalsOf, type Points } from './mesh.ts';

export interface Light {
  /** Direction towards the light: x to the right, y down, z away from the camera. */
  direction: readonly [x: number, y: number, z: number];
  /** The share of light that comes from everywhere, 0 to 1. */
  ambient: number;
  colour: Rgb;
}

/** Factors of red, green and blue for each point of a face under a light, about 1 on average. */
export function lightFactorsFor(points: Points, { direction, ambient, colour }: Light): Float32Array {
  const normals = normalsOf(points);
  const length = Math.hypot(...direction) || 1;
  const [x, y, z] = direction.map((value) => value / length);
  const brightest = Math.max(...colour, 1);
  const factors = new Float32Array(points.length);
  let sum = 0;
  for (let i = 0; i < factors.length; i += 3) {
    const facing =
      (normals[i] ?? 0) * (x ?? 0) + (normals[i + 1] ?? 0) * (y ?? 0) + (normals[i + 2] ?? 0) * (z ?? 0);
    const direct = (1 - ambient) * Math.max(0, facing);
    for (let k = 0; k < 3; k += 1) factors[i + k] = ambient + (direct * (colour[k] ?? 0)) / brightest;
    sum += factors[i + 1] ?? 0;
  }
  const mean = (sum / factors.length) * 3 || 1;
  return factors.map((value) => value / mean);
}

const CHROMA = 0.06;

/**
 * Factors that move a face half way to the brightness of a scene, and only a little to its colour, so that skin keeps its tone.
 */
export function exposureTowards(face: Rgb, scene: Rgb): Rgb {
  const brightness = (colour: Rgb) => Math.max(8, luma(colour, 0));
  const gain = Math.min(1.5, Math.max(0.6, Math.sqrt(brightness(scene) / brightness(face))));
  const factor = (k: 0 | 1 | 2) => {
    const tint = Math.max(1, scene[k]) / brightness(scene) / (Math.max(1, face[k]) / brightness(face));
    return gain * Math.min(1 + CHROMA, Math.max(1 - CHROMA, Math.sqrt(tint)));
  };
  return [factor(0), factor(1), factor(2)];
}
