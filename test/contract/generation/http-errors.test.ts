import { describe, expect, it } from 'vitest';
import { type Credential, dataUri, isOutside, photo, send, useTarget } from './calls.ts';

type Change = Record<string, unknown>;
interface ErrorCase {
  readonly when: string;
  readonly change: Change;
  readonly status: number;
  readonly code?: string;
}

const unknownUuid = '00000000-0000-4000-8000-000000000000';
const target = useTarget();
const film = { prompt: 'pan left', model: 'advanced', duration: '4s' };
const UNFIT_ASPECT = 'INVALID_ASPECT_RATIO_FOR_MODEL';

const families: readonly {
  readonly run: string;
  readonly credential: Credential;
  readonly body: (base64: string) => Change;
  readonly cases: readonly ErrorCase[];
}[] = [
  {
    run: '/v6/run/face_swap',
    credential: 'key',
    body: (base64) => ({ base64, gender: 1, filter_id: 2 }),
    cases: [
      {
        when: 'the filter number does not exist',
        change: { filter_id: 987_654 },
        status: 422,
        code: 'FILTER_NOT_FOUND',
      },
      { when: 'the filter number is 0', change: { filter_id: 0 }, status: 422, code: 'FILTER_NOT_FOUND' },
      {
        when: 'a UUID has no workflow',
        change: { filter_id: unknownUuid },
        status: 422,
        code: 'WORKFLOW_FETCH_FAILED',
      },
      {
        when: 'the quality is unknown',
        change: { quality_mode: 'v7' },
        status: 422,
        code: 'INVALID_QUALITY_MODE',
      },
      { when: 'the image is empty', change: { base64: '' }, status: 400, code: 'INVALID_IMAGE' },
      { when: 'the image is missing', change: { base64: undefined }, status: 400, code: 'INVALID_IMAGE' },
      {
        when: 'the image is no base64',
        change: { base64: '§§§ not an image §§§' },
        status: 400,
        code: 'INVALID_IMAGE',
      },
      {
        when: 'the image is base64 of text',
        change: { base64: btoa('hello'.repeat(40)) },
        status: 400,
        code: 'INVALID_IMAGE',
      },
      {
        when: 'the image is a local URL',
        change: { base64: 'http://127.0.0.1:1/a.jpg' },
        status: 400,
        code: 'INVALID_IMAGE',
      },
      { when: 'the gender is out of range', change: { gender: 5 }, status: 422 },
      { when: 'the gender is missing', change: { gender: undefined }, status: 422 },
      { when: 'the ratio is unknown', change: { ratio: 'panorama' }, status: 422 },
      { when: 'a group wants a UUID', change: { gender: 4, filter_id: unknownUuid }, status: 422 },
    ],
  },
  {
    run: '/v5/run/multi_swap',
    credential: 'key',
    body: (input_image) => ({ input_image, style_id: 1, outpaint: false }),
    cases: [
      { when: 'the style is 0', change: { style_id: 0 }, status: 422 },
      { when: 'the style is 26', change: { style_id: 26 }, status: 422 },
      { when: 'outpaint is missing', change: { outpaint: undefined }, status: 422 },
      { when: 'a UUID has no workflow', change: { style_id: unknownUuid }, status: 422 },
      { when: 'the image is empty', change: { input_image: '' }, status: 400 },
    ],
  },
  {
    run: '/v1/run/single_frame_video',
    credential: 'token',
    body: (image) => ({ prompt_image: dataUri(image), ...film }),
    cases: [
      { when: 'the model is unknown', change: { model: 'ultra' }, status: 422, code: 'INVALID_VIDEO_MODEL' },
      { when: 'advanced gets an aspect', change: { aspect_ratio: '16:9' }, status: 422, code: UNFIT_ASPECT },
      {
        when: 'simple gets an aspect',
        change: { model: 'simple', aspect_ratio: '2:3' },
        status: 422,
        code: UNFIT_ASPECT,
      },
      { when: 'simple gets 6s', change: { model: 'simple', duration: '6s' }, status: 422 },
      { when: 'the duration is unknown', change: { duration: '5s' }, status: 422 },
      { when: 'the prompt is empty', change: { prompt: '' }, status: 422 },
      {
        when: 'the image is no image',
        change: { prompt_image: 'data:image/jpeg;base64,aGVsbG8=' },
        status: 400,
      },
    ],
  },
  {
    run: '/v1/run/first_last_frame_video',
    credential: 'token',
    body: (image) => ({ first_frame: dataUri(image), last_frame: dataUri(image), ...film }),
    cases: [
      { when: 'the model is simple', change: { model: 'simple' }, status: 422, code: 'INVALID_VIDEO_MODEL' },
      {
        when: 'the model is performance',
        change: { model: 'performance' },
        status: 422,
        code: 'INVALID_VIDEO_MODEL',
      },
      { when: 'the model is unknown', change: { model: 'ultra' }, status: 422, code: 'INVALID_VIDEO_MODEL' },
      { when: 'the last frame is missing', change: { last_frame: undefined }, status: 400 },
    ],
  },
];

describe.each(families)('$run refuses', ({ run, credential, body, cases }) => {
  it.each(cases)(`${run} refuses a request when $when`, async ({ change, status, code }) => {
    const sent = { ...body(await photo()), ...change };

    const answer = await send(target(), 'POST', run, { credential, body: sent });

    expect(answer.status).toBe(status);
    if (code !== undefined) expect(answer.body).toMatchObject({ error_code: code });
  });
});

it('filters for one person only are blocked for groups, as is every UUID (embedded service only)', async ({
  skip,
}) => {
  if (isOutside) skip();
  const own = await send(target(), 'GET', '/v1/users/me/my-custom-filters', { credential: 'key' });
  const custom = (own.body as { uuid: string; filter_type: string }[]).find(
    ({ filter_type }) => filter_type === 'face_swap',
  );
  for (const filter_id of [16, 17, 24, 30, custom?.uuid]) {
    const body = { base64: await photo(), gender: 4, filter_id };
    const answer = await send(target(), 'POST', '/v6/run/face_swap', { credential: 'key', body });
    expect(answer, `filter ${filter_id}`).toMatchObject({
      status: 422,
      body: { error_code: 'FILTER_BLOCKED' },
    });
  }
});

it.each(['', '{', '[]', '"text"', 'null', '{"base64":'])('malformed calls are refused: %j', async (body) => {
  const answer = await send(target(), 'POST', '/v6/run/face_swap', { credential: 'key', body });
  expect([400, 422]).toContain(answer.status);
  expect(answer.headers.get('content-type')).toContain('application/json');
});

it('a path that is not there gets 404 in JSON', async () => {
  expect((await send(target(), 'GET', '/v9/nothing', { credential: 'key' })).status).toBe(404);
});
