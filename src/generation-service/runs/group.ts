import { z } from 'zod';
import { invalidImage } from '../interface/http-error.ts';
import { prompt, type RunContext, type RunPlan, reference, required } from './plan.ts';

const GROUP_COST = 3;
const MAX_PHOTOS = 6;

export function groupPlan(look: 'realistic' | 'stylized') {
  // The interface requires `outpaint` for the realistic flow only.
  const outpaint = look === 'realistic' ? z.boolean() : z.boolean().default(false);
  const shape = z.object({ input_image: z.unknown().optional(), style_id: reference, outpaint });
  return (body: unknown, { user, catalog, seed }: RunContext): RunPlan => {
    const fields = shape.parse(body);
    const images = [required(fields.input_image, 'input_image')];
    const filter = catalog.groupFilter(user, fields.style_id, look);
    return {
      task: { kind: 'group', filter, look, outpaint: fields.outpaint, seed },
      images,
      cost: GROUP_COST,
    };
  };
}

const photos = z.object({
  input_images: z.array(z.unknown()).max(MAX_PHOTOS).optional(),
  input_image: z.unknown().optional(),
});

export function groupPromptPlan(look: 'realistic' | 'stylized') {
  const shape = photos.extend({ prompt, outpaint: z.boolean().default(false) });
  return (body: unknown, { seed }: RunContext): RunPlan => {
    const fields = shape.parse(body);
    return {
      task: { kind: 'group', prompt: fields.prompt, look, outpaint: fields.outpaint, seed },
      images: severalImages(fields),
      cost: GROUP_COST,
    };
  };
}

export function classicPlan(body: unknown, { user, catalog, seed }: RunContext): RunPlan {
  const fields = photos.extend({ filter_id: reference, outpaint: z.boolean().default(false) }).parse(body);
  const images = severalImages(fields);
  const filter = catalog.groupFilter(user, fields.filter_id, 'classic');
  return {
    task: { kind: 'group', filter, look: 'classic', outpaint: fields.outpaint, seed },
    images,
    cost: GROUP_COST,
  };
}

function severalImages(fields: z.infer<typeof photos>) {
  const values = fields.input_images ?? [];
  const all = fields.input_image === undefined ? values : [fields.input_image, ...values];
  if (all.length === 0) throw invalidImage('input_images is empty.');
  return all.slice(0, MAX_PHOTOS).map((value, index) => required(value, `input_images[${index}]`));
}
