import { type Candidate, detectCloser, detectFaces } from './detect.ts';
import type { Face } from './face.ts';
import { boxOf } from './geometry.ts';
import { findPoints } from './landmarks.ts';
import type { loadModels } from './models.ts';
import type { Photo } from './photo.ts';

type Pass = Parameters<typeof detectFaces>[2];
type Models = Awaited<ReturnType<typeof loadModels>>;

/** More than a group photo has; each costs time. */
export const MOST_FACES = 40;
/** Of the most faces: how many places are looked at closely in all passes together, so that no photo takes much longer than a crowd. */
const CLOSE_LOOKS = 2;
/** Of a face's width to the longer side: smaller ones are guesses. */
const LEAST_WIDTH = 0.02;
/** Two faces that share more of the smaller one are one. */
const SAME_FACE = 0.5;
const QUARTER = Math.PI / 2;
/** Turned ones see faces where there are none, so they are the last resort, and for large faces. */
const PASSES = [
  { angle: 0, tile: 1 / 4 },
  { angle: QUARTER, tile: 1 / 2 },
  { angle: -QUARTER, tile: 1 / 2 },
  { angle: 2 * QUARTER, tile: 1 / 2 },
] as const;

/** Largest first, and no more than `most`. */
export async function findFaces(models: Models, photo: Photo, most = MOST_FACES): Promise<Face[]> {
  let left = CLOSE_LOOKS * most;
  const findBy = async (pass: Pass): Promise<readonly Face[]> => {
    const candidates = (await detectFaces(models.detector, photo, pass))
      .toSorted((a, b) => b.side - a.side)
      .slice(0, Math.min(most, left));
    left -= candidates.length;
    return facesAt(models, photo, candidates);
  };
  for (const pass of PASSES) {
    const faces = await findBy(pass);
    const [largest] = faces;
    if (largest === undefined) continue;
    // A photo that lies or is upside down shows some of its people only to a pass that is turned like them.
    const angle = Math.round(largest.pose.roll / QUARTER) * QUARTER;
    const isSeenUpright = Math.cos(angle - pass.angle) > 0.5;
    const turned = isSeenUpright ? [] : await findBy({ angle, tile: PASSES[0].tile });
    const found = turned.length > faces.length ? turned : faces;
    return found.slice(0, most).map((face) => enlarged(face, photo.scale));
  }
  return [];
}

/** The faces that are really there, largest first. */
async function facesAt(
  { detector, landmarks }: Models,
  photo: Photo,
  candidates: readonly Candidate[],
): Promise<readonly Face[]> {
  const least = LEAST_WIDTH * Math.max(photo.width, photo.height);
  const found: Face[] = [];
  for (const candidate of candidates)
    for (const about of await detectCloser(detector, photo, candidate)) {
      const face = await findPoints(landmarks, photo, about);
      if (face !== undefined && face.box.width >= least) found.push(face);
    }
  const kept: Face[] = [];
  // The surest way that a face is turned is the right one.
  for (const face of found.toSorted((a, b) => b.score - a.score))
    if (!kept.some((other) => areSame(face, other))) kept.push(face);
  return kept.toSorted((a, b) => areaOf(b) - areaOf(a));
}

const areaOf = ({ box }: Face): number => box.width * box.height;

function areSame(one: Face, other: Face): boolean {
  const [{ box: a }, { box: b }] = [one, other];
  const across = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const down = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  const shared = Math.max(0, across) * Math.max(0, down);
  return shared > SAME_FACE * Math.min(areaOf(one), areaOf(other));
}

function enlarged(face: Face, scale: number): Face {
  const points = face.points.map((value) => value * scale);
  return { ...face, points, box: boxOf(points) };
}
