import type { CutOut, Face } from '../../faces/face.ts';
import type { FaceFinder } from '../../faces/finder.ts';
import { MOST_YAW } from '../../faces/geometry.ts';
import { inspectPicture } from '../../picture/inspect.ts';
import type { Structure } from '../../picture/structure.ts';
import { filterNamed } from '../render/filters/all.ts';
import type { Task } from '../render/task.ts';

/** Thrown if a photo is readable but of no use for the task; the message tells people what to do. */
export class PhotoRefused extends Error {
  override readonly name = 'PhotoRefused';
}

/** Least width of a face in pixels; a smaller one would be a blur. */
const LEAST_WIDTH = 60;
/** Greatest share of a face's points beyond the edge of the photo; with more, half a mouth or an eye is missing. */
const MOST_OUTSIDE = 0.07;

/**
 * Finds the faces in each photo of a task, largest first; for tasks that draw a scene, only usable faces. If faces are optional
 * for the task, an error of the finder counts as no faces.
 */
export async function facesForTask(
  finder: FaceFinder,
  task: Task,
  inputs: readonly Uint8Array[],
  onError: (error: unknown) => void,
): Promise<Face[][]> {
  const needed = facesNeeded(task);
  // The filter of a single group photo paints all of it, so faces are not needed for a crop.
  if (needed === 0 && task.kind === 'group' && task.filter !== undefined && inputs.length === 1) return [];
  const found = Promise.all(
    inputs.map(async (photo) => {
      const faces = await finder.find(photo);
      const size = inspectPicture(photo, Number.POSITIVE_INFINITY);
      return faces.map((face) => ({ face, problem: problemOf(face, size) }));
    }),
  );
  if (needed === 0) {
    // A prompt may ask for a scene, for which only usable faces count.
    const isPrompt = (task.kind === 'face' || task.kind === 'group') && task.filter === undefined;
    return found
      .then((photos) => photos.map((faces) => (isPrompt ? usableOf(faces) : faces.map(({ face }) => face))))
      .catch((error: unknown) => {
        onError(error);
        return [];
      });
  }
  const usable = (await found).map(usableOf);
  if (usable.flat().length >= needed) return usable;
  const problems = (await found).flat().flatMap(({ problem }) => problem ?? []);
  throw new PhotoRefused(needed === 2 ? TOO_FEW : (problems[0] ?? NO_FACE));
}

/** Finds the outlines of people for a transition in which one person becomes another; empty if the finder fails. */
export async function cutOutsFor(
  finder: FaceFinder,
  task: Task,
  inputs: readonly Uint8Array[],
  faces: readonly Face[][],
  onError: (error: unknown) => void,
): Promise<CutOut[]> {
  if (task.kind !== 'transition' || inputs.some((_, index) => faces[index]?.[0] === undefined)) return [];
  return Promise.all(inputs.map((photo) => finder.cutOut(photo))).catch((error: unknown) => {
    onError(error);
    return [];
  });
}

const NO_FACE = 'There is no face in the photo. Send one that shows a face from the front.';
const TOO_FEW = 'This needs two faces. Send a photo that shows at least two people from the front.';

function facesNeeded(task: Task): 0 | 1 | 2 {
  if (!('filter' in task) || task.filter === undefined) return 0;
  const { scene, swapsFaces } = filterNamed(task.filter);
  if (swapsFaces) return 2;
  return scene === undefined ? 0 : 1;
}

const usableOf = (faces: readonly { face: Face; problem: string | undefined }[]): Face[] =>
  faces.flatMap(({ face, problem }) => (problem === undefined ? [face] : []));

function problemOf({ points, box, pose }: Face, { width, height }: Structure): string | undefined {
  if (box.width < LEAST_WIDTH)
    return 'The face in the photo is too small. Send one that is taken from closer.';
  if (Math.abs(pose.yaw) > MOST_YAW)
    return 'The face is turned too far to the side. Send a photo that shows it from the front.';
  let outside = 0;
  for (let i = 0; i < points.length; i += 3) {
    const [x = 0, y = 0] = points.subarray(i, i + 2);
    if (x < 0 || y < 0 || x > width || y > height) outside += 3;
  }
  if (outside > MOST_OUTSIDE * points.length)
    return 'The face is cut off at the edge of the photo. Send one that shows all of it.';
  return undefined;
}
