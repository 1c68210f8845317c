import type { Face } from './face.ts';
import { boxOf, poseOf } from './geometry.ts';
import type { Model } from './models.ts';
import { type DecodedPhoto, type PhotoPart, placeInPhoto, readPhotoPart } from './photo.ts';

const POINTS = 468;
const LEAST_SCORE = 0.5;
/** Room around the face that the model needs. */
const MARGIN = 1.5;
const LEFT_EYE = 33;
const RIGHT_EYE = 263;

/** Finds the points of the face in a part of the photo; undefined if there is none. */
export async function measureFace(
  model: Model,
  photo: DecodedPhoto,
  about: PhotoPart,
): Promise<Face | undefined> {
  const first = await pointsIn(model, photo, { ...about, side: about.side * MARGIN });
  // Repeated with the face upright and in the middle, where the model is most exact.
  const { points, score } = await pointsIn(model, photo, partAround(first.points));
  if (Math.min(first.score, score) < LEAST_SCORE) return undefined;
  return { points, score, box: boxOf(points), pose: poseOf(points) };
}

async function pointsIn(
  model: Model,
  photo: DecodedPhoto,
  part: PhotoPart,
): Promise<Pick<Face, 'points' | 'score'>> {
  const { side } = model;
  const [found, presence] = await model.run(readPhotoPart(photo, part, side, 0));
  if (found?.length !== POINTS * 3) throw new Error('the landmark model has other outputs');
  const points = found;
  for (let i = 0; i < points.length; i += 3) {
    const [x = 0, y = 0, z = 0] = points.subarray(i, i + 3);
    points.set([...placeInPhoto(part, x / side, y / side), (z / side) * part.side], i);
  }
  return { points, score: 1 / (1 + Math.exp(-(presence?.[0] ?? 0))) };
}

/** A square around the points, turned like the eyes. */
function partAround(points: Float32Array): PhotoPart {
  const at = (point: number): readonly [number, number] => [
    points[point * 3] ?? 0,
    points[point * 3 + 1] ?? 0,
  ];
  const [[leftX, leftY], [rightX, rightY]] = [at(LEFT_EYE), at(RIGHT_EYE)];
  const angle = Math.atan2(rightY - leftY, rightX - leftX);
  const turned = turn(points, -angle);
  const { left, top, width, height } = boxOf(turned);
  const side = Math.max(width, height) * MARGIN;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const x = left + width / 2;
  const y = top + height / 2;
  return { x: x * cos - y * sin, y: x * sin + y * cos, side, angle };
}

function turn(points: Float32Array, angle: number): Float32Array {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const turned = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const [x = 0, y = 0] = points.subarray(i, i + 2);
    turned.set([x * cos - y * sin, x * sin + y * cos], i);
  }
  return turned;
}
