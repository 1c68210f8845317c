import { z } from 'zod';
import { defined } from '../../base/defined.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Family } from '../interface/families.ts';
import { HttpError, invalidImage } from '../interface/http-error.ts';
import { DRAWN_GENDERS } from '../render/scenes/scene.ts';
import type { FaceTask, Task } from '../render/task.ts';

/** A run request whose rules were checked; its pictures are read after that. */
interface RunPlan {
  task: Task;
  images: { field: string; value: string }[];
  cost: number;
}

interface RunContext {
  catalog: Catalog;
  seed: number;
}

const reference = z.union([z.int(), z.string().min(1)]);
const prompt = z.string().trim().min(1).max(5000);

function required(value: unknown, field: string) {
  if (typeof value !== 'string' || value.trim() === '') throw invalidImage(`${field} is empty.`);
  return { field, value };
}

interface RunEndpoint {
  path: string;
  family: Family;
  plan: (body: unknown, context: RunContext) => RunPlan;
}

const run = <Shape extends z.ZodObject>(
  path: string,
  family: Family,
  shape: Shape,
  plan: (fields: z.output<Shape>, context: RunContext) => RunPlan,
): RunEndpoint => ({ path, family, plan: (body, context) => plan(shape.parse(body), context) });

/** A field that is checked by code instead of a schema. */
const anything = z.unknown().optional();
const ratio = z.enum(['portrait', 'landscape', 'square']).default('portrait');
const gender = z.int().min(0).max(4);
const outpaint = z.boolean().default(false);
const GROUP = 4;
const MAX_PHOTOS = 6;
const GROUP_COST = 3;
const VIDEO_COST_PER_4S = { simple: 5, advanced: 10, performance: 20 };

function facePlan(
  image: RunPlan['images'][number],
  fields: { gender?: number | undefined; ratio: FaceTask['ratio'] },
  more: Pick<FaceTask, 'filter' | 'prompt' | 'engine' | 'seed'>,
): RunPlan {
  const chosen = defined({ gender: DRAWN_GENDERS[fields.gender ?? GROUP] });
  return { task: { kind: 'face', ratio: fields.ratio, ...chosen, ...more }, images: [image], cost: 2 };
}

function qualityOf(value: unknown): 'v6.1' | 'v6' {
  if (value === undefined || value === null) return 'v6.1';
  if (value === 'v6' || value === 'v6.1') return value;
  throw new HttpError(422, 'INVALID_QUALITY_MODE', 'quality_mode must be v6 or v6.1.');
}

const faceShape = z.object({ base64: anything, gender, filter_id: reference, ratio, quality_mode: anything });

const faceSwap = (version: 'v6' | 'v5') =>
  run(`/${version}/run/face_swap`, `face-${version}`, faceShape, (fields, { catalog, seed }) => {
    const image = required(fields.base64, 'base64');
    const quality = qualityOf(fields.quality_mode);
    const filter = catalog.faceFilter(fields.filter_id, fields.gender === GROUP);
    return facePlan(image, fields, { filter, engine: version === 'v5' ? 'v5' : quality, seed });
  });

const earlyFace = z.object({ image: anything, gender: gender.optional(), ratio });

const photos = z.object({
  input_images: z.array(z.unknown()).max(MAX_PHOTOS).optional(),
  input_image: anything,
});

function severalImages(fields: z.infer<typeof photos>) {
  const values = fields.input_images ?? [];
  const all = fields.input_image === undefined ? values : [fields.input_image, ...values];
  if (all.length === 0) throw invalidImage('input_images is empty.');
  return all.slice(0, MAX_PHOTOS).map((value, index) => required(value, `input_images[${index}]`));
}

// The interface requires `outpaint` for the realistic flow only.
const groupSwap = (look: 'realistic' | 'stylized', path: string, family: Family) =>
  run(
    path,
    family,
    z.object({
      input_image: anything,
      style_id: reference,
      outpaint: look === 'realistic' ? z.boolean() : outpaint,
    }),
    (fields, { catalog, seed }) => {
      const images = [required(fields.input_image, 'input_image')];
      const filter = catalog.groupFilter(fields.style_id, look);
      const task = { kind: 'group', filter, look, outpaint: fields.outpaint, seed } as const;
      return { task, images, cost: GROUP_COST };
    },
  );

const groupPrompt = (look: 'realistic' | 'stylized', path: string, family: Family) =>
  run(path, family, photos.extend({ prompt, outpaint }), (fields, { seed }) => ({
    task: { kind: 'group', prompt: fields.prompt, look, outpaint: fields.outpaint, seed },
    images: severalImages(fields),
    cost: GROUP_COST,
  }));

const invalidDuration = (detail: string) => new HttpError(422, 'INVALID_VIDEO_DURATION', detail);

function secondsOf(duration: unknown): number {
  const seconds = [4, 6, 8].find((each) => duration === `${each}s`);
  if (seconds === undefined) throw invalidDuration('duration must be 4s, 6s or 8s.');
  return seconds;
}

/** The run endpoints, one row each. */
export const runEndpoints: readonly RunEndpoint[] = [
  faceSwap('v6'),
  faceSwap('v5'),
  run('/v1/run/faceswap', 'face-v2', earlyFace.extend({ filter_id: reference }), (fields, context) => {
    const image = required(fields.image, 'image');
    const filter = context.catalog.faceFilter(fields.filter_id, fields.gender === GROUP);
    return facePlan(image, fields, { filter, engine: 'v1', seed: context.seed });
  }),
  run('/v2/run/self-prompt', 'face-v2', earlyFace.extend({ prompt }), (fields, { seed }) =>
    facePlan(required(fields.image, 'image'), fields, { prompt: fields.prompt, engine: 'v6', seed }),
  ),
  groupSwap('realistic', '/v5/run/multi_swap', 'multi-v5'),
  groupPrompt('realistic', '/v5/run/multi_swap_self_prompt', 'multi-v5'),
  groupSwap('stylized', '/v1/run/stylized_multi_swap', 'multi-stylized'),
  groupPrompt('stylized', '/v1/run/stylized_multi_swap_self_prompt', 'multi-stylized'),
  run(
    '/v4/multi_swap_styles',
    'multi-v4',
    photos.extend({ filter_id: reference, outpaint }),
    (fields, { catalog, seed }) => {
      const images = severalImages(fields);
      const filter = catalog.groupFilter(fields.filter_id, 'classic');
      const task = { kind: 'group', filter, look: 'classic', outpaint: fields.outpaint, seed } as const;
      return { task, images, cost: GROUP_COST };
    },
  ),
  run(
    '/v1/run/single_frame_video',
    'video',
    z.object({
      prompt_image: anything,
      prompt,
      model: anything,
      duration: anything,
      aspect_ratio: z.enum(['auto', '16:9', '9:16', '3:2', '2:3']).default('auto'),
    }),
    ({ prompt, aspect_ratio: aspect, ...fields }, { seed }) => {
      const { data: model } = z.enum(['simple', 'advanced', 'performance']).safeParse(fields.model);
      if (model === undefined)
        throw new HttpError(422, 'INVALID_VIDEO_MODEL', 'model must be simple, advanced or performance.');
      if (aspect !== 'auto' && model !== 'performance') {
        const detail = 'An aspect_ratio other than auto needs the model performance.';
        throw new HttpError(422, 'INVALID_ASPECT_RATIO_FOR_MODEL', detail);
      }
      const seconds = secondsOf(fields.duration);
      if (model === 'simple' && seconds !== 4) throw invalidDuration('The model simple makes 4s only.');
      return {
        task: { kind: 'motion', prompt, model, seconds, aspect, seed },
        images: [required(fields.prompt_image, 'prompt_image')],
        cost: (VIDEO_COST_PER_4S[model] * seconds) / 4,
      };
    },
  ),
  run(
    '/v1/run/first_last_frame_video',
    'video',
    z.object({
      first_frame: anything,
      last_frame: anything,
      prompt,
      model: anything,
      duration: anything,
    }),
    (fields) => {
      if (fields.model !== 'advanced')
        throw new HttpError(422, 'INVALID_VIDEO_MODEL', 'First-last frame video needs the model advanced.');
      const seconds = secondsOf(fields.duration);
      return {
        task: { kind: 'transition', prompt: fields.prompt, seconds },
        images: [required(fields.first_frame, 'first_frame'), required(fields.last_frame, 'last_frame')],
        cost: (VIDEO_COST_PER_4S.advanced * seconds) / 4,
      };
    },
  ),
];
