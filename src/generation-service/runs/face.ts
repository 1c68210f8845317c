import { z } from 'zod';
import { HttpError } from '../interface/http-error.ts';
import { GENDERS } from '../render/scenes/scene.ts';
import type { FaceTask } from '../render/task.ts';
import { prompt, type RunContext, type RunPlan, reference, required } from './plan.ts';

const ratio = z.enum(['portrait', 'landscape', 'square']).default('portrait');
const gender = z.int().min(0).max(4);
const GROUP = 4;
const FACE_COST = 2;

export function facePlan(engine: 'v6.1' | 'v5') {
  const shape = z.object({
    base64: z.unknown().optional(),
    gender,
    filter_id: reference,
    ratio,
    quality_mode: z.unknown().optional(),
  });
  return (body: unknown, { user, catalog, seed }: RunContext): RunPlan => {
    const fields = shape.parse(body);
    const images = [required(fields.base64, 'base64')];
    const quality = qualityOf(fields.quality_mode);
    const filter = catalog.faceFilter(user, fields.filter_id, fields.gender === GROUP);
    const task: FaceTask = {
      kind: 'face',
      filter,
      ratio: fields.ratio,
      ...genderOf(fields.gender),
      engine: engine === 'v5' ? 'v5' : quality,
      seed,
    };
    return { task, images, cost: FACE_COST };
  };
}

function genderOf(value: number | undefined): Pick<FaceTask, 'gender'> {
  const found = GENDERS[value ?? GROUP];
  return found === undefined ? {} : { gender: found };
}

function qualityOf(value: unknown): 'v6.1' | 'v6' {
  if (value === undefined || value === null) return 'v6.1';
  if (value === 'v6' || value === 'v6.1') return value;
  throw new HttpError(422, 'INVALID_QUALITY_MODE', 'quality_mode must be v6 or v6.1.');
}

export function earlyFacePlan(body: unknown, { user, catalog, seed }: RunContext): RunPlan {
  const shape = z.object({
    image: z.unknown().optional(),
    filter_id: reference,
    gender: gender.optional(),
    ratio,
  });
  const fields = shape.parse(body);
  const images = [required(fields.image, 'image')];
  const filter = catalog.faceFilter(user, fields.filter_id, fields.gender === GROUP);
  const task: FaceTask = {
    kind: 'face',
    filter,
    ratio: fields.ratio,
    ...genderOf(fields.gender),
    engine: 'v1',
    seed,
  };
  return { task, images, cost: FACE_COST };
}

export function facePromptPlan(body: unknown, { seed }: RunContext): RunPlan {
  const fields = z
    .object({ image: z.unknown().optional(), prompt, gender: gender.optional(), ratio })
    .parse(body);
  const images = [required(fields.image, 'image')];
  const task: FaceTask = {
    kind: 'face',
    prompt: fields.prompt,
    ratio: fields.ratio,
    ...genderOf(fields.gender),
    engine: 'v6',
    seed,
  };
  return { task, images, cost: FACE_COST };
}
