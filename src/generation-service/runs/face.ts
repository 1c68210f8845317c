import { z } from 'zod';
import { defined } from '../../base/defined.ts';
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
    const image = required(fields.base64, 'base64');
    const quality = qualityOf(fields.quality_mode);
    const filter = catalog.faceFilter(user, fields.filter_id, fields.gender === GROUP);
    return planOf(image, fields, { filter, engine: engine === 'v5' ? 'v5' : quality, seed });
  };
}

function planOf(
  image: RunPlan['images'][number],
  fields: { gender?: number | undefined; ratio: FaceTask['ratio'] },
  more: Pick<FaceTask, 'filter' | 'prompt' | 'engine' | 'seed'>,
): RunPlan {
  const chosen = defined({ gender: GENDERS[fields.gender ?? GROUP] });
  return {
    task: { kind: 'face', ratio: fields.ratio, ...chosen, ...more },
    images: [image],
    cost: FACE_COST,
  };
}

function qualityOf(value: unknown): 'v6.1' | 'v6' {
  if (value === undefined || value === null) return 'v6.1';
  if (value === 'v6' || value === 'v6.1') return value;
  throw new HttpError(422, 'INVALID_QUALITY_MODE', 'quality_mode must be v6 or v6.1.');
}

const early = z.object({ image: z.unknown().optional(), gender: gender.optional(), ratio });

export function earlyFacePlan(body: unknown, { user, catalog, seed }: RunContext): RunPlan {
  const fields = early.extend({ filter_id: reference }).parse(body);
  const image = required(fields.image, 'image');
  const filter = catalog.faceFilter(user, fields.filter_id, fields.gender === GROUP);
  return planOf(image, fields, { filter, engine: 'v1', seed });
}

export function facePromptPlan(body: unknown, { seed }: RunContext): RunPlan {
  const fields = early.extend({ prompt }).parse(body);
  const image = required(fields.image, 'image');
  return planOf(image, fields, { prompt: fields.prompt, engine: 'v6', seed });
}
