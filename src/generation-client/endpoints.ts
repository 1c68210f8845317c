import { z } from 'zod';
import { row } from './endpoint-row.ts';
import {
  aspect,
  classicStyle,
  duration,
  filter,
  gender,
  type ImageInput,
  outpaint,
  photo,
  photos,
  prompt,
  quality,
  ratio,
  style,
  videoModel,
} from './wire/inputs.ts';

const GROUP_NEEDS_NUMBER = 'A group photo works only with a catalog number as filter, not with a UUID.';

const groupHasNumber = (input: { gender?: string | undefined; filter: number | string }) =>
  input.gender !== 'group' || typeof input.filter === 'number';

const PICTURE = { credentials: 'key', output: 'image' } as const;
const VIDEO = { credentials: 'token', output: 'video' } as const;
const onePhoto = z.object({ image: photo('The photo') });
const manyPhotos = z.object({ images: photos });
const onlyPrompt = z.object({ prompt });
const NAMES_V6 = {
  image: 'base64',
  gender: 'gender',
  filter: 'filter_id',
  ratio: 'ratio',
  quality: 'quality_mode',
};
const VIDEO_NAMES = { prompt: 'prompt', model: 'model', duration: 'duration' };

/** One row per run endpoint of the interface. Adding an endpoint is adding a row. */
export const endpoints = {
  'face-swap-v6': row({
    ...PICTURE,
    path: '/v6/run/face_swap',
    status: 'face-v6',
    photos: onePhoto,
    options: z
      .object({ gender, filter, ratio: ratio.optional(), quality: quality.optional() })
      .refine(groupHasNumber, GROUP_NEEDS_NUMBER)
      .refine(
        (input) => input.quality === undefined || typeof input.filter === 'number',
        'Quality can be chosen only with a catalog number as filter; a UUID filter has its own.',
      ),
    names: () => NAMES_V6,
    cost: () => 2,
  }),
  'face-swap-v5': row({
    ...PICTURE,
    path: '/v5/run/face_swap',
    status: 'face-v5',
    photos: onePhoto,
    options: z.object({ gender, filter, ratio: ratio.optional() }).refine(groupHasNumber, GROUP_NEEDS_NUMBER),
    names: (fields) => fields['face-swap-v5'],
    cost: (_, prices) => prices.face,
  }),
  'face-swap-v1': row({
    ...PICTURE,
    path: '/v1/run/faceswap',
    status: 'face-v2',
    photos: onePhoto,
    options: z.object({ filter, gender: gender.optional(), ratio: ratio.optional() }),
    names: (fields) => fields['face-swap-v1'],
    cost: (_, prices) => prices.face,
  }),
  'self-prompt': row({
    ...PICTURE,
    path: '/v2/run/self-prompt',
    status: 'face-v2',
    photos: onePhoto,
    options: z.object({ prompt, gender: gender.optional(), ratio: ratio.optional() }),
    names: (fields) => fields['self-prompt'],
    cost: (_, prices) => prices.face,
  }),
  'multi-swap-realistic': row({
    ...PICTURE,
    path: '/v5/run/multi_swap',
    status: 'realistic',
    photos: onePhoto,
    options: z.object({ style, outpaint }),
    names: () => ({ image: 'input_image', style: 'style_id', outpaint: 'outpaint' }),
    cost: () => 3,
  }),
  'multi-swap-realistic-prompt': row({
    ...PICTURE,
    path: '/v5/run/multi_swap_self_prompt',
    status: 'realistic',
    photos: manyPhotos,
    options: onlyPrompt,
    names: (fields) => fields['multi-swap-realistic-prompt'],
    cost: () => 3,
  }),
  'multi-swap-stylized': row({
    ...PICTURE,
    path: '/v1/run/stylized_multi_swap',
    status: 'stylized',
    photos: onePhoto,
    options: z.object({ style, outpaint: outpaint.default(false) }),
    names: (fields) => fields['multi-swap-stylized'],
    cost: (_, prices) => prices.group,
  }),
  'multi-swap-stylized-prompt': row({
    ...PICTURE,
    path: '/v1/run/stylized_multi_swap_self_prompt',
    status: 'stylized',
    photos: manyPhotos,
    options: onlyPrompt,
    names: (fields) => fields['multi-swap-stylized-prompt'],
    cost: (_, prices) => prices.group,
  }),
  'multi-swap-classic': row({
    ...PICTURE,
    path: '/v4/multi_swap_styles/',
    status: 'classic',
    photos: manyPhotos,
    options: z.object({ style: classicStyle }),
    names: () => ({ style: 'filter_id', images: 'input_images' }),
    cost: (_, prices) => prices.group,
  }),
  'single-frame-video': row({
    ...VIDEO,
    path: '/v1/run/single_frame_video',
    status: 'video',
    photos: onePhoto,
    options: z
      .object({ prompt, model: videoModel, duration, aspect: aspect.optional() })
      .refine(
        (input) => input.model !== 'simple' || input.duration === '4s',
        'The model "simple" makes only 4s videos.',
      )
      .refine(
        (input) => input.model === 'performance' || (input.aspect ?? 'auto') === 'auto',
        'An aspect other than "auto" works only with the model "performance".',
      ),
    names: () => ({ image: 'prompt_image', ...VIDEO_NAMES, aspect: 'aspect_ratio' }),
    cost: (input, prices) => prices.video(input.model, input.duration),
  }),
  'first-last-frame-video': row({
    ...VIDEO,
    path: '/v1/run/first_last_frame_video',
    status: 'video',
    photos: z.object({ first: photo('The first frame'), last: photo('The last frame') }),
    options: z.object({
      prompt,
      model: z.literal('advanced', 'First and last frame videos work only with the model "advanced".'),
      duration,
    }),
    names: () => ({ first: 'first_frame', last: 'last_frame', ...VIDEO_NAMES }),
    cost: (input, prices) => prices.video(input.model, input.duration),
  }),
};

export type EndpointName = keyof typeof endpoints;

type Options<Name extends EndpointName> = z.input<(typeof endpoints)[Name]['options']>;
type Photos<Name extends EndpointName> = z.input<(typeof endpoints)[Name]['photos']>;

/** A request to the service, one member per endpoint. `Photo`: how a photo is represented. */
export type GenerationRequest<Photo = ImageInput> = {
  [Name in EndpointName]: {
    endpoint: Name;
    input: Options<Name> & {
      [Field in keyof Photos<Name>]: Photos<Name>[Field] extends readonly unknown[] ? Photo[] : Photo;
    };
  };
}[EndpointName];
