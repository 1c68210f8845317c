import { Buffer } from 'node:buffer';
import type { EndpointName, GenerationRequest } from '../../../src/generation-client/endpoints.ts';

export const uuid = '6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f';
export const otherUuid = '0b8f6a52-9d1e-4f37-a2c4-5e6d7f8a9b0c';
export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
export const png = Buffer.concat([signature, Buffer.from('the rest of a picture')]);

const jpeg = { bytes: Buffer.from('jpeg bytes'), type: 'image/jpeg' } as const;
const link = { url: 'https://photos.example/a.jpg?size=1' };
const base64 = jpeg.bytes.toString('base64');
const dataUri = `data:image/jpeg;base64,${base64}`;

/** One request per endpoint, with what it must look like on the wire. */
export const samples: {
  request: GenerationRequest;
  path: string;
  statusPath: string;
  credentials: 'key' | 'token';
  body: unknown;
  cost: number;
}[] = [
  {
    request: {
      endpoint: 'face-swap-v6',
      input: { image: jpeg, gender: 'girl', filter: 12, ratio: 'square', quality: 'v6' },
    },
    path: '/v6/run/face_swap',
    statusPath: '/v6/status/job-1',
    credentials: 'key',
    body: { base64, gender: 3, filter_id: 12, ratio: 'square', quality_mode: 'v6' },
    cost: 2,
  },
  {
    request: { endpoint: 'face-swap-v5', input: { image: link, gender: 'male', filter: uuid } },
    path: '/v5/run/face_swap',
    statusPath: '/v5/status/job-1',
    credentials: 'key',
    body: { base64: link.url, gender: 0, filter_id: uuid },
    cost: 2,
  },
  {
    request: { endpoint: 'face-swap-v1', input: { image: jpeg, filter: 7 } },
    path: '/v1/run/faceswap',
    statusPath: '/v2/status/job-1',
    credentials: 'key',
    body: { image: base64, filter_id: 7 },
    cost: 2,
  },
  {
    request: {
      endpoint: 'self-prompt',
      input: { image: jpeg, prompt: ' a knight ', gender: 'female', ratio: 'landscape' },
    },
    path: '/v2/run/self-prompt',
    statusPath: '/v2/status/job-1',
    credentials: 'key',
    body: { image: base64, prompt: 'a knight', gender: 1, ratio: 'landscape' },
    cost: 2,
  },
  {
    request: { endpoint: 'multi-swap-realistic', input: { image: jpeg, style: 25, outpaint: true } },
    path: '/v5/run/multi_swap',
    statusPath: '/v5/status_multi_swap/job-1',
    credentials: 'key',
    body: { input_image: base64, style_id: 25, outpaint: true },
    cost: 3,
  },
  {
    request: { endpoint: 'multi-swap-realistic-prompt', input: { images: [jpeg, link], prompt: 'pirates' } },
    path: '/v5/run/multi_swap_self_prompt',
    statusPath: '/v5/status_multi_swap/job-1',
    credentials: 'key',
    body: { input_images: [base64, link.url], prompt: 'pirates' },
    cost: 3,
  },
  {
    request: { endpoint: 'multi-swap-stylized', input: { image: jpeg, style: uuid } },
    path: '/v1/run/stylized_multi_swap',
    statusPath: '/v1/status_stylized_multi_swap/job-1',
    credentials: 'key',
    body: { input_image: base64, style_id: uuid, outpaint: false },
    cost: 3,
  },
  {
    request: { endpoint: 'multi-swap-stylized-prompt', input: { images: [jpeg], prompt: 'clay' } },
    path: '/v1/run/stylized_multi_swap_self_prompt',
    statusPath: '/v1/status_stylized_multi_swap/job-1',
    credentials: 'key',
    body: { input_images: [base64], prompt: 'clay' },
    cost: 3,
  },
  {
    request: { endpoint: 'multi-swap-classic', input: { images: [jpeg, jpeg], style: 40 } },
    path: '/v4/multi_swap_styles/',
    statusPath: '/v1/status_multi_swap/job-1',
    credentials: 'key',
    body: { filter_id: 40, input_images: [base64, base64] },
    cost: 3,
  },
  {
    request: {
      endpoint: 'single-frame-video',
      input: { image: jpeg, prompt: 'zoom', model: 'performance', duration: '6s', aspect: '9:16' },
    },
    path: '/v1/run/single_frame_video',
    statusPath: '/v1/status/single_frame_video/job-1',
    credentials: 'token',
    body: {
      prompt_image: dataUri,
      prompt: 'zoom',
      model: 'performance',
      duration: '6s',
      aspect_ratio: '9:16',
    },
    cost: 30,
  },
  {
    request: {
      endpoint: 'first-last-frame-video',
      input: { first: jpeg, last: link, prompt: 'melt', model: 'advanced', duration: '8s' },
    },
    path: '/v1/run/first_last_frame_video',
    statusPath: '/v1/status/single_frame_video/job-1',
    credentials: 'token',
    body: { first_frame: dataUri, last_frame: link.url, prompt: 'melt', model: 'advanced', duration: '8s' },
    cost: 20,
  },
];

export const sampleOf = (endpoint: EndpointName): GenerationRequest => {
  const sample = samples.find(({ request }) => request.endpoint === endpoint);
  if (sample === undefined) throw new Error(`no sample of ${endpoint}`);
  return sample.request;
};
