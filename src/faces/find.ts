import { type Candidate, detectCloser, detectFaces } from './detect.ts';
import type { Face } from './face.ts';
import { boxOf } from './geometry.ts';
import { measureFace } from './landmarks.ts';
import type { loadModels } from './models.ts';
import type { DecodedPhoto } from './photo.ts';

type Pass = Parameters<typeof detectFaces>[2];
type Models = Awaited<ReturnType<typeof loadModels>>;

/** The most faces that are found by default: more than a group photo has. Each costs time. */
export const MOST_FACES = 40;
/**
 * How many candidates are examined closely in all passes together, as a multiple of the most faces, so that no photo takes much
 * longer than a crowd.
 */
const CLOSE_LOOKS = 2;
/** The least width of a face as a share of the longer side; smaller ones are guesses. */
const LEAST_WIDTH = 0.02;
/** Two faces that share more of the smaller one than this are one. */
const SAME_FACE = 0.5;
const QUARTER = Math.PI / 2;
/**
 * The passes of the detection. Turned passes detect faces where there are none, so they are the last resort, and for large
 * faces only.
 */
const PASSES = [
  { angle: 0, tile: 1 / 4 },
  { angle: QUARTER, tile: 1 / 2 },
  { angle: -QUARTER, tile: 1 / 2 },
  { angle: 2 * QUARTER, tile: 1 / 2 },
] as const;

/** Finds the faces in a photo, the largest first, at most `most`. */
export async function findFaces(models: Models, photo: DecodedPhoto, most = MOST_FACES): Promise<Face[]> {
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
    // A photo that lies on its side or is upside down may show some people only to a pass with the same rotation.
    const angle = Math.round(largest.pose.roll / QUARTER) * QUARTER;
    const isSeenUpright = Math.cos(angle - pass.angle) > 0.5;
    const turned = isSeenUpright ? [] : await findBy({ angle, tile: PASSES[0].tile });
    const found = turned.length > faces.length ? turned : faces;
    return found.slice(0, most).map((face) => enlarged(face, photo.scale));
  }
  return [];
}

/** Verifies candidates with the landmark model; returns the real faces, the largest first. */
async function facesAt(
  { detector, landmarks }: Models,
  photo: DecodedPhoto,
  candidates: readonly Candidate[],
): Promise<readonly Face[]> {
  const least = LEAST_WIDTH * Math.max(photo.width, photo.height);
  const found: Face[] = [];
  for (const candidate of candidates)
    for (const about of await detectCloser(detector, photo, candidate)) {
      const face = await measureFace(landmarks, photo, about);
      if (face !== undefined && face.box.width >= least) found.push(face);
    }
  const kept: Face[] = [];
  // If a face was found in several rotations, the one with the highest score is right.
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
