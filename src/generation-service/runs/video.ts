import { z } from 'zod';
import { HttpError } from '../interface/http-error.ts';
import { prompt, type RunContext, type RunPlan, required } from './plan.ts';

const VIDEO_COST_PER_4S = { simple: 5, advanced: 10, performance: 20 };

const motionShape = z.object({
  prompt_image: z.unknown().optional(),
  prompt,
  model: z.unknown().optional(),
  duration: z.unknown().optional(),
  aspect_ratio: z.enum(['auto', '16:9', '9:16', '3:2', '2:3']).default('auto'),
});

export function motionPlan(body: unknown, { seed }: RunContext): RunPlan {
  const fields = motionShape.parse(body);
  const model = z.enum(['simple', 'advanced', 'performance']).safeParse(fields.model);
  if (!model.success) {
    throw new HttpError(422, 'INVALID_VIDEO_MODEL', 'model must be simple, advanced or performance.');
  }
  if (fields.aspect_ratio !== 'auto' && model.data !== 'performance') {
    const detail = 'An aspect_ratio other than auto needs the model performance.';
    throw new HttpError(422, 'INVALID_ASPECT_RATIO_FOR_MODEL', detail);
  }
  const seconds = secondsOf(fields.duration);
  if (model.data === 'simple' && seconds !== 4) throw invalidDuration('The model simple makes 4s only.');
  return {
    task: {
      kind: 'motion',
      prompt: fields.prompt,
      model: model.data,
      seconds,
      aspect: fields.aspect_ratio,
      seed,
    },
    images: [required(fields.prompt_image, 'prompt_image')],
    cost: (VIDEO_COST_PER_4S[model.data] * seconds) / 4,
  };
}

const transitionShape = z.object({
  first_frame: z.unknown().optional(),
  last_frame: z.unknown().optional(),
  prompt,
  model: z.unknown().optional(),
  duration: z.unknown().optional(),
});

export function transitionPlan(body: unknown, { seed }: RunContext): RunPlan {
  const fields = transitionShape.parse(body);
  if (fields.model !== 'advanced') {
    throw new HttpError(422, 'INVALID_VIDEO_MODEL', 'First-last frame video needs the model advanced.');
  }
  const seconds = secondsOf(fields.duration);
  return {
    task: { kind: 'transition', prompt: fields.prompt, seconds, seed },
    images: [required(fields.first_frame, 'first_frame'), required(fields.last_frame, 'last_frame')],
    cost: (VIDEO_COST_PER_4S.advanced * seconds) / 4,
  };
}

function secondsOf(duration: unknown): number {
  if (duration === '4s') return 4;
  if (duration === '6s') return 6;
  if (duration === '8s') return 8;
  throw invalidDuration('duration must be 4s, 6s or 8s.');
}

const invalidDuration = (detail: string) => new HttpError(422, 'INVALID_VIDEO_DURATION', detail);
