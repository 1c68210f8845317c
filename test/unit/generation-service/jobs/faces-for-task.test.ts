import { beforeEach, describe, expect, it } from 'vitest';
import type { Face } from '../../../../src/faces/face.ts';
import type { FaceFinder } from '../../../../src/faces/finder.ts';
import { cutOutsFor, facesForTask } from '../../../../src/generation-service/jobs/faces-for-task.ts';
import { catalogs } from '../../../../src/generation-service/render/filters/all.ts';
import type { FaceTask, Task } from '../../../../src/generation-service/render/task.ts';
import { plainPng } from '../../../fakes/hostile-pictures.ts';
import { faceIn } from '../../../people/face-in.ts';

/** In a photo of 1,000 by 800 pixels; of its points, `outside` are beyond the right edge. */
const face = (width: number, degrees = 0, outside = 0): Face => {
  const points = new Float32Array(1_404).fill(1_001, 0, outside * 3);
  return faceIn({ left: 0, top: 0, width, height: width }, points, (degrees * Math.PI) / 180);
};

const photo = plainPng({ width: 1_000, height: 800 });

const findingOf = (find: () => Promise<Face[]>): FaceFinder => ({
  find,
  cutOut: () => Promise.reject(new Error('not asked for')),
  content: () => Promise.reject(new Error('not asked for here')),
  warm: () => true,
  isClosed: false,
  pids: () => [],
  close: () => undefined,
});

const errors: unknown[] = [];
beforeEach(() => {
  errors.length = 0;
});

const swap = catalogs.realistic.find((filter) => filter.swapsFaces)?.key;

const facesIn = (filter: string | undefined, find: () => Promise<Face[]>) => {
  const task: FaceTask = { kind: 'face', ratio: 'square', engine: 'v6', seed: 1, ...(filter && { filter }) };
  return facesForTask(findingOf(find), task, [photo], (error) => errors.push(error));
};

const scene = catalogs.face.find((filter) => filter.scene !== undefined)?.key;

it.each([
  { what: 'no face', faces: [], sentence: 'There is no face in the photo.' },
  { what: 'a small face', faces: [face(40)], sentence: 'The face in the photo is too small.' },
  { what: 'a profile', faces: [face(300, 45)], sentence: 'The face is turned too far to the side.' },
  {
    what: 'half a face',
    faces: [face(300, 0, 40)],
    sentence: 'The face is cut off at the edge of the photo.',
  },
  {
    what: 'two profiles',
    faces: [face(300, -50), face(200, 70)],
    sentence: 'The face is turned too far to the side.',
  },
])('a scene refuses a photo with $what and says what to do', async ({ faces, sentence }) => {
  await expect(facesIn(scene, async () => faces)).rejects.toThrow(new RegExp(`^${sentence} Send .*\\.$`));
});

it('a scene shows the largest face that is usable', async () => {
  const faces = [face(300, 60), face(200, -39), face(100, 0, 20), face(90, 0, 40), face(20)];

  expect(await facesIn(scene, async () => faces)).toEqual([[faces[1], faces[2]]]);
});

it('a scene for groups refuses a photo without a face, and the painting of one photo needs none', async () => {
  const group = (asked: { filter?: string; prompt?: string }, photos = [photo]) =>
    facesForTask(
      findingOf(async () => []),
      { kind: 'group', look: 'realistic', outpaint: false, seed: 1, ...asked },
      photos,
      (error) => errors.push(error),
    );

  const crew = catalogs.realistic.find((filter) => filter.scene !== undefined)?.key ?? '';
  await expect(group({ filter: crew })).rejects.toThrow('There is no face in the photo.');
  expect(await group({ filter: 'realistic/1' })).toEqual([]);
  expect(await group({ filter: 'classic/1' }, [photo, photo])).toEqual([[], []]);
  expect(await group({ prompt: 'as pirates' })).toEqual([[]]);
});

it('a prompt, which may ask for a scene, gets usable faces, and refuses nothing', async () => {
  const faces = [face(300, 60), face(200, -39), face(20)];

  expect(await facesIn(undefined, async () => faces)).toEqual([[faces[1]]]);
  expect(await facesIn(undefined, async () => [face(20)])).toEqual([[]]);
});

it('people who trade their faces are at least two', async () => {
  await expect(facesIn(swap, async () => [face(300), face(200, 60)])).rejects.toThrow(
    'This needs two faces. Send',
  );
  expect(await facesIn(swap, async () => [face(300), face(200)])).toEqual([[face(300), face(200)]]);
});

it('a painting takes every photo, also when faces cannot be looked for', async () => {
  expect(await facesIn('face/1', async () => [])).toEqual([[]]);
  expect(await facesIn('face/1', async () => [face(20, 80)])).toEqual([[face(20, 80)]]);
  expect(await facesIn('face/1', () => Promise.reject(new Error('no finder')))).toEqual([]);
  expect(errors).toEqual([new Error('no finder')]);
  await expect(facesIn(scene, () => Promise.reject(new Error('no finder')))).rejects.toThrow('no finder');
});

describe('outlines of people', () => {
  const outline = { width: 1, height: 1, alpha: Uint8Array.of(255) };

  const cut = (kind: 'motion' | 'transition', faces: Face[][], cutOut: FaceFinder['cutOut']) => {
    const task: Task =
      kind === 'transition'
        ? { kind, prompt: 'melt', seconds: 4 }
        : { kind, prompt: 'smile', model: 'simple', aspect: 'auto', seconds: 4, seed: 1 };
    const finder = { ...findingOf(async () => []), cutOut };
    return cutOutsFor(finder, task, [photo, photo], faces, (error) => errors.push(error));
  };

  it('outlines of people are found for videos in which one person becomes another', async () => {
    expect(await cut('transition', [[face(200)], [face(100)]], async () => outline)).toEqual([
      outline,
      outline,
    ]);
    expect(await cut('transition', [[face(200)], []], async () => outline)).toEqual([]);
    expect(await cut('motion', [[face(200)], [face(100)]], async () => outline)).toEqual([]);
  });

  it('outlines of people are left out when they cannot be found', async () => {
    const failing = () => Promise.reject(new Error('no finder'));

    expect(await cut('transition', [[face(200)], [face(100)]], failing)).toEqual([]);
    expect(errors).toEqual([new Error('no finder')]);
  });
});
