import type { Model } from './models.ts';
import { type DecodedPhoto, type PhotoPart, placeInPhoto, readPhotoPart } from './photo.ts';

/** A place where a face may be, with the detector's score. */
export interface Candidate extends PhotoPart {
  readonly score: number;
}

/** Candidates with a lower score are dogs, or faces in patterns. */
const LEAST_SCORE = 0.7;
/** With a higher score, the detected rotation of a face is reliable. */
const SURE = 0.85;
/** Two candidates that share more of their area than this are one face. */
const SAME_FACE = 0.3;
/** Limit of candidates: a crowd has about half as many, and the time to compare them grows with their square. */
const MOST_GUESSES = 2_000;
/** The least side of a tile; smaller ones show no more than the whole picture does. */
const LEAST_TILE = 192;
/** The overlap of tiles: as much as the largest face that only tiles show. */
const OVERLAP = 0.3;

/** The side of a closer view, in sizes of the face; at this size the model recognises faces best. */
const CLOSER = 2;
const QUARTER_TURNS = [0, 1, 2, 3].map((quarters) => (quarters * Math.PI) / 2);

/** The middles of the model's grid: 16 by 16 cells with two candidates each, then 8 by 8 with six. */
const CELLS: readonly (readonly [u: number, v: number])[] = [
  { count: 16, guesses: 2 },
  { count: 8, guesses: 6 },
].flatMap(({ count, guesses }) =>
  Array.from({ length: count * count * guesses }, (_, i) => {
    const cell = Math.floor(i / guesses);
    return [((cell % count) + 0.5) / count, (Math.floor(cell / count) + 0.5) / count] as const;
  }),
);
/** Values of each candidate: middle, size, then six points, of which the first two are the eyes. */
const NUMBERS = 16;

/**
 * Detects faces in the whole photo, and in tiles of this share of its longer side, because the model needs faces of a certain
 * size. `angle` turns all of them.
 */
export async function detectFaces(
  model: Model,
  photo: DecodedPhoto,
  { angle, tile }: { readonly angle: number; readonly tile: number },
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const part of partsOf(photo, tile)) found.push(...(await detectIn(model, photo, { ...part, angle })));
  return [...withoutRepeats(found)];
}

function partsOf({ width, height }: DecodedPhoto, tile: number): readonly Omit<PhotoPart, 'angle'>[] {
  const longest = Math.max(width, height);
  const side = Math.max(LEAST_TILE, longest * tile);
  const along = (length: number): readonly number[] => {
    const count = Math.max(1, Math.ceil((length / side - OVERLAP) / (1 - OVERLAP)));
    if (count === 1) return [length / 2];
    return Array.from({ length: count }, (_, i) => side / 2 + (i * (length - side)) / (count - 1));
  };
  const tiles = along(height).flatMap((y) => along(width).map((x) => ({ x, y, side })));
  return [{ x: width / 2, y: height / 2, side: longest }, ...(side < longest ? tiles : [])];
}

/**
 * Repeats the detection in a smaller part around a candidate, once for each quarter turn: upside down a beard looks like hair,
 * and a far tilt like another one. Returns the candidate unchanged if nothing is detected.
 */
export async function detectCloser(
  model: Model,
  photo: DecodedPhoto,
  about: Candidate,
): Promise<readonly Candidate[]> {
  const seen: Candidate[] = [];
  for (const turn of QUARTER_TURNS) {
    if (seen.some(({ score }) => score > SURE)) break;
    const part = { ...about, side: about.side * CLOSER, angle: about.angle + turn };
    const [best] = withoutRepeats(await detectIn(model, photo, part));
    if (best !== undefined && Math.hypot(best.x - about.x, best.y - about.y) < about.side / 2)
      seen.push(best);
  }
  if (seen.length === 0) return [about];
  const isTurnedAsOne = (one: Candidate, others: readonly Candidate[]): boolean =>
    others.some((other) => Math.cos(one.angle - other.angle) > Math.SQRT1_2);
  return seen
    .toSorted((a, b) => b.score - a.score)
    .filter((one, index, all) => !isTurnedAsOne(one, all.slice(0, index)));
}

async function detectIn(model: Model, photo: DecodedPhoto, part: PhotoPart): Promise<readonly Candidate[]> {
  const { side } = model;
  const [guesses, scores] = await model.run(readPhotoPart(photo, part, side, -1));
  if (guesses === undefined || scores === undefined) throw new Error('the detector has other outputs');
  return CELLS.flatMap(([u, v], i) => {
    const score = 1 / (1 + Math.exp(-(scores[i] ?? 0)));
    if (score < LEAST_SCORE) return [];
    const at = (number: number): number => (guesses[i * NUMBERS + number] ?? 0) / side;
    const [x, y] = placeInPhoto(part, u + at(0), v + at(1));
    const size = Math.max(at(2), at(3)) * part.side;
    const tilt = Math.atan2(at(7) - at(5), at(6) - at(4));
    return [{ x, y, side: size, angle: part.angle + tilt, score }];
  });
}

/**
 * Non-maximum suppression: of overlapping candidates the best one, at the weighted mean of their places because a single one is
 * not exact. The highest scores come first.
 */
function* withoutRepeats(found: readonly Candidate[]): Generator<Candidate, undefined> {
  let left = found.toSorted((a, b) => b.score - a.score).slice(0, MOST_GUESSES);
  for (let best = left[0]; best !== undefined; [best] = left) {
    const { score } = best;
    const same = new Set<Candidate>([best]);
    for (const other of left) if (overlap(other, best) > SAME_FACE) same.add(other);
    const total = sum(same, () => 1);
    const mean = (of: (one: Candidate) => number): number => sum(same, of) / total;
    const angle = Math.atan2(
      mean((one) => Math.sin(one.angle)),
      mean((one) => Math.cos(one.angle)),
    );
    yield { x: mean(({ x }) => x), y: mean(({ y }) => y), side: mean(({ side }) => side), angle, score };
    left = left.filter((other) => !same.has(other));
  }
}

/** The sum of a value over candidates, weighted by their scores. */
function sum(candidates: Iterable<Candidate>, of: (one: Candidate) => number): number {
  let total = 0;
  for (const each of candidates) total += of(each) * each.score;
  return total;
}

/** Intersection over union of two squares. */
function overlap(a: Candidate, b: Candidate): number {
  const along = (p: number, q: number): number =>
    Math.max(0, Math.min(p + a.side / 2, q + b.side / 2) - Math.max(p - a.side / 2, q - b.side / 2));
  const both = along(a.x, b.x) * along(a.y, b.y);
  return both / (a.side ** 2 + b.side ** 2 - both);
}
