import { z } from 'zod';
import { row } from './endpoint-row.ts';
import {
  aspect,
  classicStyle,
  duration,
  filter,
  frameOnWire,
  GENDER_CODE,
  gender,
  type ImageInput,
  imageOnWire,
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

const FACE = { credentials: 'key', output: 'image', model: 'face' } as const;
const GROUP = { credentials: 'key', output: 'image', model: 'group' } as const;
const VIDEO = { credentials: 'token', output: 'video', model: 'video', family: 'video' } as const;
const onePhoto = z.object({ image: photo('The photo') });
const manyPhotos = z.object({ images: photos });
const onlyPrompt = z.object({ prompt });

/** One row per run endpoint of the interface. Adding an endpoint is adding a row. */
export const endpoints = {
  'face-swap-v6': row({
    ...FACE,
    path: '/v6/run/face_swap',
    status: 'face-v6',
    family: 'face-v6',
    photos: onePhoto,
    options: z
      .object({ gender, filter, ratio: ratio.optional(), quality: quality.optional() })
      .refine(groupHasNumber, GROUP_NEEDS_NUMBER)
      .refine(
        (input) => input.quality === undefined || typeof input.filter === 'number',
        'Quality can be chosen only with a catalog number as filter; a UUID filter has its own.',
      ),
    body: (input) => ({
      base64: imageOnWire(input.image),
      gender: GENDER_CODE[input.gender],
      filter_id: input.filter,
      ratio: input.ratio,
      quality_mode: input.quality,
    }),
    cost: () => 2,
  }),
  'face-swap-v5': row({
    ...FACE,
    path: '/v5/run/face_swap',
    status: 'face-v5',
    family: 'face-v6',
    photos: onePhoto,
    options: z.object({ gender, filter, ratio: ratio.optional() }).refine(groupHasNumber, GROUP_NEEDS_NUMBER),
    body: (input, { fields: { 'face-swap-v5': name } }) => ({
      [name.image ?? '']: imageOnWire(input.image),
      [name.gender ?? '']: GENDER_CODE[input.gender],
      [name.filter ?? '']: input.filter,
      [name.ratio ?? '']: input.ratio,
    }),
    cost: (_, prices) => prices.face,
  }),
  'face-swap-v1': row({
    ...FACE,
    path: '/v1/run/faceswap',
    status: 'face-v2',
    family: 'general',
    photos: onePhoto,
    options: z.object({ filter, gender: gender.optional(), ratio: ratio.optional() }),
    body: (input, { fields: { 'face-swap-v1': name } }) => ({
      [name.image ?? '']: imageOnWire(input.image),
      [name.filter ?? '']: input.filter,
      [name.gender ?? '']: input.gender && GENDER_CODE[input.gender],
      [name.ratio ?? '']: input.ratio,
    }),
    cost: (_, prices) => prices.face,
  }),
  'self-prompt': row({
    ...FACE,
    path: '/v2/run/self-prompt',
    status: 'face-v2',
    family: 'general',
    photos: onePhoto,
    options: z.object({ prompt, gender: gender.optional(), ratio: ratio.optional() }),
    body: (input, { fields: { 'self-prompt': name } }) => ({
      [name.image ?? '']: imageOnWire(input.image),
      [name.prompt ?? '']: input.prompt,
      [name.gender ?? '']: input.gender && GENDER_CODE[input.gender],
      [name.ratio ?? '']: input.ratio,
    }),
    cost: (_, prices) => prices.face,
  }),
  'multi-swap-realistic': row({
    ...GROUP,
    path: '/v5/run/multi_swap',
    status: 'realistic',
    family: 'multi-v5',
    photos: onePhoto,
    options: z.object({ style, outpaint }),
    body: (input) => ({
      input_image: imageOnWire(input.image),
      style_id: input.style,
      outpaint: input.outpaint,
    }),
    cost: () => 3,
  }),
  'multi-swap-realistic-prompt': row({
    ...GROUP,
    path: '/v5/run/multi_swap_self_prompt',
    status: 'realistic',
    family: 'multi-v5',
    photos: manyPhotos,
    options: onlyPrompt,
    body: (input, { fields: { 'multi-swap-realistic-prompt': name } }) => ({
      [name.images ?? '']: input.images.map(imageOnWire),
      [name.prompt ?? '']: input.prompt,
    }),
    cost: () => 3,
  }),
  'multi-swap-stylized': row({
    ...GROUP,
    path: '/v1/run/stylized_multi_swap',
    status: 'stylized',
    family: 'general',
    photos: onePhoto,
    options: z.object({ style, outpaint: outpaint.optional() }),
    body: (input, { fields: { 'multi-swap-stylized': name } }) => ({
      [name.image ?? '']: imageOnWire(input.image),
      [name.style ?? '']: input.style,
      [name.outpaint ?? '']: input.outpaint ?? false,
    }),
    cost: (_, prices) => prices.group,
  }),
  'multi-swap-stylized-prompt': row({
    ...GROUP,
    path: '/v1/run/stylized_multi_swap_self_prompt',
    status: 'stylized',
    family: 'general',
    photos: manyPhotos,
    options: onlyPrompt,
    body: (input, { fields: { 'multi-swap-stylized-prompt': name } }) => ({
      [name.images ?? '']: input.images.map(imageOnWire),
      [name.prompt ?? '']: input.prompt,
    }),
    cost: (_, prices) => prices.group,
  }),
  'multi-swap-classic': row({
    ...GROUP,
    path: '/v4/multi_swap_styles/',
    status: 'classic',
    family: 'general',
    photos: manyPhotos,
    options: z.object({ style: classicStyle }),
    body: (input) => ({ filter_id: input.style, input_images: input.images.map(imageOnWire) }),
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
    body: (input) => ({
      prompt_image: frameOnWire(input.image),
      prompt: input.prompt,
      model: input.model,
      duration: input.duration,
      aspect_ratio: input.aspect,
    }),
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
    body: (input) => ({
      first_frame: frameOnWire(input.first),
      last_frame: frameOnWire(input.last),
      prompt: input.prompt,
      model: input.model,
      duration: input.duration,
    }),
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
