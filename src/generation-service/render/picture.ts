import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Face } from '../../faces/face.ts';
import { asSharp, type Canvas, createRandom, readCanvas } from './canvas.ts';
import { coverSize } from './crop.ts';
import { swapFaces } from './faces/swap.ts';
import { filterNamed } from './filters/all.ts';
import { PAINTED_SCENE } from './filters/stylized.ts';
import { groupCanvas, outpaint } from './group-photo.ts';
import { drawPrompt, filterForPrompt, groupSceneForPrompt, sceneForPrompt } from './prompt.ts';
import { drawGroup, membersOf } from './scenes/draw-group.ts';
import { drawScene, type Sitter } from './scenes/draw-scene.ts';
import { applySteps, type Step } from './steps.ts';
import type { FaceTask, GroupTask } from './task.ts';

const SIZES = { portrait: [1200, 1800], landscape: [1800, 1200], square: [1280, 1280] } as const;

/** The engines differ in look: the newest adds nothing to the filter. */
const ENGINE_STEPS: Record<FaceTask['engine'], Step[]> = {
  'v6.1': [],
  v6: [{ grade: { contrast: 0.96, saturation: 0.94 } }],
  v5: [
    { grade: { warmth: 10, tint: 6, contrast: 1.08 } },
    { vignette: { strength: 0.7, colour: '#1a0d1f' } },
  ],
  v1: [{ grade: { contrast: 0.86, saturation: 0.8, brightness: 14, warmth: 6 } }, { grain: 14 }],
};

export async function renderFace(task: FaceTask, inputs: Uint8Array[], faces: Face[][]): Promise<Uint8Array> {
  const [width, height] = SIZES[task.ratio];
  const [input] = inputs;
  if (input === undefined) throw new Error('there is no photo');
  const [face] = faces[0] ?? [];
  const chosen = sceneOf(task);
  if (chosen !== undefined && face !== undefined) {
    const { key, scene, changes, gender } = chosen;
    const setting = { key, scene, changes, size: { width, height }, seed: task.seed };
    const canvas = await drawScene(setting, { photo: input, face, gender });
    const context = { unit: 1, random: createRandom(task.seed), title: '' };
    return encode(await applySteps(canvas, ENGINE_STEPS[task.engine], context));
  }
  if (task.filter !== undefined && chosen !== undefined) throw new Error('the photo shows no face');
  const photo = await coverSize(input, { width, height }, faces[0] ?? []);
  return encode(await renderTask(photo, task, ENGINE_STEPS[task.engine]));
}

/** The scene that the task names or its prompt asks for. */
function sceneOf({ filter, prompt = '', gender }: FaceTask) {
  if (filter === undefined) return sceneForPrompt(prompt, gender);
  const { scene, key } = filterNamed(filter);
  return scene && { scene, key, gender: gender ?? 'male', changes: {} };
}

export async function renderGroup(
  task: GroupTask,
  inputs: Uint8Array[],
  faces: Face[][],
): Promise<Uint8Array> {
  const scene = await groupScene(task, inputs, faces);
  if (scene !== undefined) return encode(scene);
  const photo = await groupCanvas(inputs, faces);
  const { swapsFaces } = task.filter === undefined ? {} : filterNamed(task.filter);
  if (swapsFaces) await swapIn(photo, inputs[0], faces[0]);
  const canvas = task.outpaint ? await outpaint(photo) : photo;
  // One prompt gives different pictures with the two looks.
  const isStylizedPrompt = task.filter === undefined && task.look === 'stylized';
  const more: Step[] = isStylizedPrompt ? [{ grade: { saturation: 1.35, contrast: 1.1 } }] : [];
  return encode(await renderTask(canvas, task, more));
}

const GROUP_SIZE = { width: 1800, height: 1200 };
const WIDE_GROUP_SIZE = { width: 2400, height: 1200 };

/** Draws the people of all photos in the scene that the task names, or that its prompt asks for if there are people. */
async function groupScene(
  { filter, prompt = '', look, outpaint: isWide, seed }: GroupTask,
  inputs: Uint8Array[],
  faces: Face[][],
): Promise<Canvas | undefined> {
  const named = filter === undefined ? undefined : filterNamed(filter);
  const {
    key,
    scene,
    changes = {},
  } = named === undefined ? { ...groupSceneForPrompt(prompt) } : { ...named, changes: {} };
  if (key === undefined || scene === undefined) return undefined;
  const members = membersOf(inputs, faces);
  if (members.length === 0 && named === undefined) return undefined;
  const size = isWide ? WIDE_GROUP_SIZE : GROUP_SIZE;
  const setting = { key, scene, changes, size, seed };
  const canvas = await drawGroup(setting, members, faces.flat().length);
  const steps = named?.steps ?? (look === 'stylized' ? PAINTED_SCENE : []);
  return applySteps(canvas, steps, { unit: 1, random: createRandom(seed), title: '' });
}

/** Swaps the faces in a canvas; `faces` are in the coordinates of the photo, whose size may differ. */
async function swapIn(canvas: Canvas, photo: Uint8Array | undefined, faces: Face[] = []): Promise<void> {
  const { autoOrient } = await sharp(photo).metadata();
  const scale = canvas.width / autoOrient.width;
  swapFaces(
    canvas,
    faces.map(({ points }) => points.map((value) => value * scale)),
  );
}

/**
 * Renders the preview of a filter: applied to one of the sample drawings (`group`: the faces in that of a group), or a scene
 * with somebody in it. `scripts/previews.ts` writes these pictures to files, which are served.
 */
export async function renderPreview(filter: string, sitter?: Sitter, group?: Face[]): Promise<Buffer> {
  const { isForGroups, scene, steps, swapsFaces, id: seed } = filterNamed(filter);
  const file = new URL(`../samples/${isForGroups ? 'group' : 'portrait'}.jpg`, import.meta.url);
  const [width, height] = isForGroups ? [600, 400] : [400, 600];
  const size = { width: width * 2, height: height * 2 };
  const sample = await readFile(file);
  if (scene !== undefined && sitter !== undefined && group !== undefined) {
    const setting = { scene, key: filter, size, changes: {}, seed };
    const canvas = isForGroups
      ? await drawGroup(setting, membersOf([sample], [group]).slice(1, 4))
      : await drawScene(setting, sitter);
    const context = { unit: height / 600, random: createRandom(seed), title: '' };
    return previewOf(await applySteps(canvas, steps, context), width, height);
  }
  const photo = await readCanvas(sharp(sample).resize({ ...size, fit: 'cover' }));
  if (swapsFaces) await swapIn(photo, sample, group);
  return previewOf(await renderTask(photo, { filter, seed }), width, height);
}

const previewOf = (canvas: Canvas, width: number, height: number): Promise<Buffer> =>
  asSharp(canvas).resize(width, height).jpeg({ quality: 82 }).toBuffer();

/** Applies the filter that the task names or its prompt asks for, then `more`, then draws the text of the prompt. */
async function renderTask(
  photo: Canvas,
  { filter, prompt, seed }: { filter?: string; prompt?: string; seed: number },
  more: Step[] = [],
): Promise<Canvas> {
  const { name, steps } = filterNamed(filter ?? filterForPrompt(prompt ?? ''));
  const unit = Math.min(photo.width, photo.height) / 1200;
  // The text of a prompt is drawn in place of the filter's name.
  const context = { unit, random: createRandom(seed), title: prompt === undefined ? name : '' };
  const canvas = await applySteps(photo, [{ autoLevels: {} }, ...steps, ...more], context);
  return prompt === undefined ? canvas : drawPrompt(canvas, prompt, context);
}

// Compression level 4 takes a third of the time of the default for a picture of two megapixels, and makes it a tenth larger.
const encode = (canvas: Canvas): Promise<Uint8Array> =>
  asSharp(canvas).png({ compressionLevel: 4 }).toBuffer();
