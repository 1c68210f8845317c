import { Buffer } from 'node:buffer';
import type { GenerationRequest } from '../../../src/generation-client/endpoint.ts';
import type { ServiceCatalogName } from '../../../src/generation-client/lists.ts';
import type { ImageInput } from '../../../src/generation-client/wire/inputs.ts';
import type { JobKind } from '../../../src/kinds/kinds.ts';

/** The UUID of a custom filter. */
export const uuid = '6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f';
/** The UUID of another custom filter. */
export const otherUuid = '0b8f6a52-9d1e-4f37-a2c4-5e6d7f8a9b0c';
/** The first bytes of every PNG file. */
export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes that pass for a PNG file where nobody decodes them. */
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

const at = (path: string, polled: string, cost: number, credentials: 'key' | 'token' = 'key') => ({
  path,
  statusPath: `${polled}/job-1`,
  cost,
  credentials,
});
const faceV5 = at('/v5/run/face_swap', '/v5/status', 2);
const stylized = at('/v1/run/stylized_multi_swap', '/v1/status_stylized_multi_swap', 3);
const motion = at('/v1/run/single_frame_video', '/v1/status/single_frame_video', 5, 'token');
const transition = { ...motion, path: '/v1/run/first_last_frame_video' };

const sample = (
  endpoint: JobKind,
  input: GenerationRequest['input'],
  body: Sample['body'],
  where: Omit<Sample, 'request' | 'body'>,
): Sample => ({ request: { endpoint, input }, body, ...where });

/**
 * Requests to every endpoint, with what they must look like on the wire. The contract suite sends the last one of each to a service:
 * a cheap one, of a filter that every service has.
 */
export const samplesWith = (
  photo: ImageInput,
  other: ImageInput = photo,
  numbers: Readonly<Record<ServiceCatalogName, number>> = NUMBERS,
): readonly Sample[] => {
  const one = base64Of(photo);
  const two = base64Of(other);
  const first = frameOf(photo);
  const last = frameOf(other);
  const v6 = numbers['face-v6'];
  const v5 = numbers['face-v5'];
  const performance = { prompt: 'zoom', model: 'performance', duration: '6s' } as const;
  const simple = { prompt: 'zoom', model: 'simple', duration: '4s' } as const;
  const melt = { prompt: 'melt', model: 'advanced' } as const;
  return [
    sample(
      'face-swap-v6',
      { photo, gender: 'girl', filter: v6, ratio: 'square', quality: 'v6' },
      { base64: one, gender: 3, filter_id: v6, ratio: 'square', quality_mode: 'v6' },
      at('/v6/run/face_swap', '/v6/status', 2),
    ),
    sample(
      'face-swap-v5',
      { photo: other, gender: 'male', filter: uuid },
      { base64: two, gender: 0, filter_id: uuid },
      faceV5,
    ),
    sample(
      'face-swap-v5',
      { photo, gender: 'girl', filter: v5 },
      { base64: one, gender: 3, filter_id: v5 },
      faceV5,
    ),
    sample(
      'face-swap-v1',
      { photo, filter: numbers['face-v1'] },
      { image: one, filter_id: numbers['face-v1'] },
      at('/v1/run/faceswap', '/v2/status', 2),
    ),
    sample(
      'self-prompt',
      { photo, prompt: ' a knight ', gender: 'female', ratio: 'landscape' },
      { image: one, prompt: 'a knight', gender: 1, ratio: 'landscape' },
      at('/v2/run/self-prompt', '/v2/status', 2),
    ),
    sample(
      'multi-swap-realistic',
      { photo, style: numbers.realistic, outpaint: true },
      { input_image: one, style_id: numbers.realistic, outpaint: true },
      at('/v5/run/multi_swap', '/v5/status_multi_swap', 3),
    ),
    sample(
      'multi-swap-realistic-prompt',
      { photos: [photo, other], prompt: 'pirates' },
      { input_images: [one, two], prompt: 'pirates' },
      at('/v5/run/multi_swap_self_prompt', '/v5/status_multi_swap', 3),
    ),
    ...[uuid, numbers.stylized].map((style) =>
      sample(
        'multi-swap-stylized',
        { photo, style },
        { input_image: one, style_id: style, outpaint: false },
        stylized,
      ),
    ),
    sample(
      'multi-swap-stylized-prompt',
      { photos: [photo], prompt: 'clay' },
      { input_images: [one], prompt: 'clay' },
      at('/v1/run/stylized_multi_swap_self_prompt', '/v1/status_stylized_multi_swap', 3),
    ),
    sample(
      'multi-swap-classic',
      { photos: [photo, photo], style: numbers.classic },
      { filter_id: numbers.classic, input_images: [one, one] },
      at('/v4/multi_swap_styles/', '/v1/status_multi_swap', 3),
    ),
    sample(
      'single-frame-video',
      { photo, ...performance, aspect: '9:16' },
      { prompt_image: first, ...performance, aspect_ratio: '9:16' },
      { ...motion, cost: 30 },
    ),
    sample('single-frame-video', { photo, ...simple }, { prompt_image: first, ...simple }, motion),
    ...(
      [
        { duration: '8s', cost: 20 },
        { duration: '4s', cost: 10 },
      ] as const
    ).map(({ duration, cost }) =>
      sample(
        'first-last-frame-video',
        { first: photo, last: other, ...melt, duration },
        { first_frame: first, last_frame: last, ...melt, duration },
        { ...transition, cost },
      ),
    ),
  ];
};

/** The requests that most tests of the client send. */
export const samples = samplesWith(jpeg, link);

/** The last sample of each endpoint. */
export const eachOf = (all: readonly Sample[]): readonly Sample[] => [
  ...new Map(all.map((sample) => [sample.request.endpoint, sample])).values(),
];

/** The first of these samples for an endpoint. */
export const findSample = (all: readonly Sample[], endpoint: string): Sample => {
  const found = all.find(({ request }) => request.endpoint === endpoint);
  if (found === undefined)
    throw new Error(`no sample of ${endpoint} in test/fakes/service/sample-requests.ts`);
  return found;
};

/** A request to an endpoint. */
export const sampleOf = (endpoint: JobKind): GenerationRequest => findSample(samples, endpoint).request;
