import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { FaceTask, GroupTask, PreviewTask } from '../task.ts';
import { asSharp, type Canvas, createRandom, type Operation, readCanvas, type Scene } from './canvas.ts';
import { groupCanvas, outpaint } from './group-photo.ts';
import { grade, grain, vignette } from './operations/tone.ts';
import { letterPrompt, recipeForPrompt } from './prompt.ts';
import { recipeOf } from './recipes/all.ts';

const sizes = { portrait: [1200, 1800], landscape: [1800, 1200], square: [1280, 1280] } as const;

/** The engines differ visibly: the newest leaves the recipe alone, earlier ones have a look of their own. */
const engines: Record<FaceTask['engine'], Operation[]> = {
  'v6.1': [],
  v6: [grade({ contrast: 0.96, saturation: 0.94 })],
  v5: [grade({ warmth: 10, tint: 6, contrast: 1.08 }), vignette(0.7, '#1a0d1f')],
  v1: [grade({ contrast: 0.86, saturation: 0.8, brightness: 14, warmth: 6 }), grain(14)],
};

export async function renderFace(task: FaceTask, inputs: Uint8Array[]): Promise<Uint8Array> {
  const [width, height] = sizes[task.ratio];
  const photo = sharp(inputs[0]).resize(width, height, { fit: 'cover', position: 'attention' });
  const recipe = recipeOf(task.recipe ?? recipeForPrompt(task.prompt ?? ''));
  const canvas = await cook(
    await readCanvas(photo),
    [...recipe.steps, ...engines[task.engine]],
    recipe.name,
    task,
  );
  return encode(canvas);
}

export async function renderGroup(task: GroupTask, inputs: Uint8Array[]): Promise<Uint8Array> {
  const photo = await groupCanvas(inputs);
  const recipe = recipeOf(task.recipe ?? recipeForPrompt(task.prompt ?? ''));
  const canvas = task.outpaint ? await outpaint(photo) : photo;
  // The looks of a prompt differ between the two models, so the same words give two pictures.
  const look = task.recipe === undefined && task.look === 'stylized' ? stylizedTouch : [];
  return encode(await cook(canvas, [...recipe.steps, ...look], recipe.name, task));
}

const stylizedTouch: Operation[] = [grade({ saturation: 1.35, contrast: 1.1 })];

const samples = { face: 'portrait.jpg', group: 'group.jpg' };

export async function renderPreview({ recipe: key }: PreviewTask): Promise<Uint8Array> {
  const recipe = recipeOf(key);
  const isGroup = /^(realistic|stylized|classic)\//.test(key);
  const file = new URL(`../samples/${isGroup ? samples.group : samples.face}`, import.meta.url);
  const [width, height] = isGroup ? [600, 400] : [400, 600];
  const photo = sharp(await readFile(file)).resize(width * 2, height * 2, { fit: 'cover' });
  const canvas = await cook(await readCanvas(photo), recipe.steps, recipe.name, { seed: recipe.id });
  return asSharp(canvas).resize(width, height).jpeg({ quality: 82 }).toBuffer();
}

async function cook(
  start: Canvas,
  steps: Operation[],
  title: string,
  { seed, prompt }: { seed: number; prompt?: string },
): Promise<Canvas> {
  const unit = Math.min(start.width, start.height) / 1200;
  const scene: Scene = { unit, random: createRandom(seed), title };
  let canvas = start;
  for (const step of steps) canvas = await step(canvas, scene);
  return prompt === undefined ? canvas : letterPrompt(canvas, prompt, scene);
}

// Level 4: a picture of two megapixels in a third of the time of the default, a tenth larger.
const encode = (canvas: Canvas): Promise<Uint8Array> =>
  asSharp(canvas).png({ compressionLevel: 4 }).toBuffer();
