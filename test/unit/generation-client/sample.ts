import { Buffer } from 'node:buffer';
import type { EndpointName, GenerationRequest } from '../../../src/generation-client/endpoints.ts';
import type { ServiceCatalogName } from '../../../src/generation-client/lists.ts';
import type { ImageInput } from '../../../src/generation-client/wire/inputs.ts';

export const uuid = '6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f';
export const otherUuid = '0b8f6a52-9d1e-4f37-a2c4-5e6d7f8a9b0c';
export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
export const png = Buffer.concat([signature, Buffer.from('the rest of a picture')]);

const jpeg = { bytes: Buffer.from('jpeg bytes'), type: 'image/jpeg' } as const;
const link = { url: 'https://photos.example/a.jpg?size=1' };

/** Numbers that the catalogs of the interface have. */
const NUMBERS = {
  'face-v6': 12,
  'face-v5': 19,
  'face-v1': 7,
  realistic: 25,
  stylized: 20,
  classic: 3,
} as const satisfies Readonly<Record<ServiceCatalogName, number>>;

const base64Of = (photo: ImageInput): string =>
  'url' in photo ? photo.url : Buffer.from(photo.bytes).toString('base64');
const frameOf = (photo: ImageInput): string =>
  'url' in photo ? photo.url : `data:${photo.type};base64,${base64Of(photo)}`;

interface Sample {
  readonly request: GenerationRequest;
  readonly path: string;
  readonly statusPath: string;
  readonly credentials: 'key' | 'token';
  readonly body: Readonly<Record<string, unknown>>;
  readonly cost: number;
}

const at = (path: string, polled: string, credentials: 'key' | 'token' = 'key') => ({
  path,
  statusPath: `${polled}/job-1`,
  credentials,
});
const faceV5 = at('/v5/run/face_swap', '/v5/status');
const stylized = at('/v1/run/stylized_multi_swap', '/v1/status_stylized_multi_swap');
const motion = at('/v1/run/single_frame_video', '/v1/status/single_frame_video', 'token');
const transition = { ...motion, path: '/v1/run/first_last_frame_video' };

/**
 * Requests to every endpoint, with what they must look like on the wire. The contract suite sends the last one of each to a service:
 * a cheap one, of a filter that every service has.
 */
export const samplesWith = (
  photo: ImageInput,
  other: ImageInput = photo,
  numbers: Readonly<Record<ServiceCatalogName, number>> = NUMBERS,
): readonly Sample[] => {
  const [one, two] = [base64Of(photo), base64Of(other)];
  const [first, last] = [frameOf(photo), frameOf(other)];
  const melt = { prompt: 'melt', model: 'advanced' } as const;
  return [
    {
      request: {
        endpoint: 'face-swap-v6',
        input: { image: photo, gender: 'girl', filter: numbers['face-v6'], ratio: 'square', quality: 'v6' },
      },
      ...at('/v6/run/face_swap', '/v6/status'),
      body: { base64: one, gender: 3, filter_id: numbers['face-v6'], ratio: 'square', quality_mode: 'v6' },
      cost: 2,
    },
    {
      request: { endpoint: 'face-swap-v5', input: { image: other, gender: 'male', filter: uuid } },
      ...faceV5,
      body: { base64: two, gender: 0, filter_id: uuid },
      cost: 2,
    },
    {
      request: {
        endpoint: 'face-swap-v5',
        input: { image: photo, gender: 'girl', filter: numbers['face-v5'] },
      },
      ...faceV5,
      body: { base64: one, gender: 3, filter_id: numbers['face-v5'] },
      cost: 2,
    },
    {
      request: { endpoint: 'face-swap-v1', input: { image: photo, filter: numbers['face-v1'] } },
      ...at('/v1/run/faceswap', '/v2/status'),
      body: { image: one, filter_id: numbers['face-v1'] },
      cost: 2,
    },
    {
      request: {
        endpoint: 'self-prompt',
        input: { image: photo, prompt: ' a knight ', gender: 'female', ratio: 'landscape' },
      },
      ...at('/v2/run/self-prompt', '/v2/status'),
      body: { image: one, prompt: 'a knight', gender: 1, ratio: 'landscape' },
      cost: 2,
    },
    {
      request: {
        endpoint: 'multi-swap-realistic',
        input: { image: photo, style: numbers.realistic, outpaint: true },
      },
      ...at('/v5/run/multi_swap', '/v5/status_multi_swap'),
      body: { input_image: one, style_id: numbers.realistic, outpaint: true },
      cost: 3,
    },
    {
      request: {
        endpoint: 'multi-swap-realistic-prompt',
        input: { images: [photo, other], prompt: 'pirates' },
      },
      ...at('/v5/run/multi_swap_self_prompt', '/v5/status_multi_swap'),
      body: { input_images: [one, two], prompt: 'pirates' },
      cost: 3,
    },
    {
      request: { endpoint: 'multi-swap-stylized', input: { image: photo, style: uuid } },
      ...stylized,
      body: { input_image: one, style_id: uuid, outpaint: false },
      cost: 3,
    },
    {
      request: { endpoint: 'multi-swap-stylized', input: { image: photo, style: numbers.stylized } },
      ...stylized,
      body: { input_image: one, style_id: numbers.stylized, outpaint: false },
      cost: 3,
    },
    {
      request: { endpoint: 'multi-swap-stylized-prompt', input: { images: [photo], prompt: 'clay' } },
      ...at('/v1/run/stylized_multi_swap_self_prompt', '/v1/status_stylized_multi_swap'),
      body: { input_images: [one], prompt: 'clay' },
      cost: 3,
    },
    {
      request: { endpoint: 'multi-swap-classic', input: { images: [photo, photo], style: numbers.classic } },
      ...at('/v4/multi_swap_styles/', '/v1/status_multi_swap'),
      body: { filter_id: numbers.classic, input_images: [one, one] },
      cost: 3,
    },
    {
      request: {
        endpoint: 'single-frame-video',
        input: { image: photo, prompt: 'zoom', model: 'performance', duration: '6s', aspect: '9:16' },
      },
      ...motion,
      body: {
        prompt_image: first,
        prompt: 'zoom',
        model: 'performance',
        duration: '6s',
        aspect_ratio: '9:16',
      },
      cost: 30,
    },
    {
      request: {
        endpoint: 'single-frame-video',
        input: { image: photo, prompt: 'zoom', model: 'simple', duration: '4s' },
      },
      ...motion,
      body: { prompt_image: first, prompt: 'zoom', model: 'simple', duration: '4s' },
      cost: 5,
    },
    {
      request: {
        endpoint: 'first-last-frame-video',
        input: { first: photo, last: other, ...melt, duration: '8s' },
      },
      ...transition,
      body: { first_frame: first, last_frame: last, ...melt, duration: '8s' },
      cost: 20,
    },
    {
      request: {
        endpoint: 'first-last-frame-video',
        input: { first: photo, last: other, ...melt, duration: '4s' },
      },
      ...transition,
      body: { first_frame: first, last_frame: last, ...melt, duration: '4s' },
      cost: 10,
    },
  ];
};

export const samples = samplesWith(jpeg, link);

/** The last one of each endpoint. */
export const eachOf = (all: readonly Sample[]): readonly Sample[] => [
  ...new Map(all.map((sample) => [sample.request.endpoint, sample])).values(),
];

export const findSample = (all: readonly Sample[], endpoint: string): Sample => {
  const found = all.find(({ request }) => request.endpoint === endpoint);
  if (found === undefined)
    throw new Error(`no sample of ${endpoint} in test/unit/generation-client/sample.ts`);
  return found;
};

export const sampleOf = (endpoint: EndpointName): GenerationRequest => findSample(samples, endpoint).request;
