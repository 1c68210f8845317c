import { describe, expect, it } from 'vitest';
import { type Credential, dataUri, isOutside, photo, send, useTarget } from './calls.ts';

type Change = Record<string, unknown>;
type ErrorCase = [when: string, change: Change, status: number, code?: string];

const unknownUuid = '00000000-0000-4000-8000-000000000000';
const target = useTarget();
const film = { prompt: 'pan left', model: 'advanced', duration: '4s' };
const UNFIT_ASPECT = 'INVALID_ASPECT_RATIO_FOR_MODEL';

const families: readonly {
  readonly run: string;
  readonly credential: Credential;
  readonly body: (base64: string) => Change;
  readonly cases: ErrorCase[];
}[] = [
  {
    run: '/v6/run/face_swap',
    credential: 'key',
    body: (base64) => ({ base64, gender: 1, filter_id: 2 }),
    cases: [
      ['the filter number does not exist', { filter_id: 987_654 }, 422, 'FILTER_NOT_FOUND'],
      ['the filter number is 0', { filter_id: 0 }, 422, 'FILTER_NOT_FOUND'],
      ['a UUID has no workflow', { filter_id: unknownUuid }, 422, 'WORKFLOW_FETCH_FAILED'],
      ['the quality is unknown', { quality_mode: 'v7' }, 422, 'INVALID_QUALITY_MODE'],
      ['the image is empty', { base64: '' }, 400, 'INVALID_IMAGE'],
      ['the image is missing', { base64: undefined }, 400, 'INVALID_IMAGE'],
      ['the image is no base64', { base64: '§§§ not an image §§§' }, 400, 'INVALID_IMAGE'],
      ['the image is base64 of text', { base64: btoa('hello'.repeat(40)) }, 400, 'INVALID_IMAGE'],
      ['the image is a local URL', { base64: 'http://127.0.0.1:1/a.jpg' }, 400, 'INVALID_IMAGE'],
      ['the gender is out of range', { gender: 5 }, 422],
      ['the gender is missing', { gender: undefined }, 422],
      ['the ratio is unknown', { ratio: 'panorama' }, 422],
      ['a group wants a UUID', { gender: 4, filter_id: unknownUuid }, 422],
    ],
  },
  {
    run: '/v5/run/multi_swap',
    credential: 'key',
    body: (input_image) => ({ input_image, style_id: 1, outpaint: false }),
    cases: [
      ['the style is 0', { style_id: 0 }, 422],
      ['the style is 26', { style_id: 26 }, 422],
      ['outpaint is missing', { outpaint: undefined }, 422],
      ['a UUID has no workflow', { style_id: unknownUuid }, 422],
      ['the image is empty', { input_image: '' }, 400],
    ],
  },
  {
    run: '/v1/run/single_frame_video',
    credential: 'token',
    body: (image) => ({ prompt_image: dataUri(image), ...film }),
    cases: [
      ['the model is unknown', { model: 'ultra' }, 422, 'INVALID_VIDEO_MODEL'],
      ['advanced gets an aspect', { aspect_ratio: '16:9' }, 422, UNFIT_ASPECT],
      ['simple gets an aspect', { model: 'simple', aspect_ratio: '2:3' }, 422, UNFIT_ASPECT],
      ['simple gets 6s', { model: 'simple', duration: '6s' }, 422],
      ['the duration is unknown', { duration: '5s' }, 422],
      ['the prompt is empty', { prompt: '' }, 422],
      ['the image is no image', { prompt_image: 'data:image/jpeg;base64,aGVsbG8=' }, 400],
    ],
  },
  {
    run: '/v1/run/first_last_frame_video',
    credential: 'token',
    body: (image) => ({ first_frame: dataUri(image), last_frame: dataUri(image), ...film }),
    cases: [
      ['the model is simple', { model: 'simple' }, 422, 'INVALID_VIDEO_MODEL'],
      ['the model is performance', { model: 'performance' }, 422, 'INVALID_VIDEO_MODEL'],
      ['the model is unknown', { model: 'ultra' }, 422, 'INVALID_VIDEO_MODEL'],
      ['the last frame is missing', { last_frame: undefined }, 400],
    ],
  },
];

describe.each(families)('$run refuses', ({ run, credential, body, cases }) => {
  it.each<ErrorCase>(cases)(`${run} refuses a request when %s`, async (_, change, status, code) => {
    const answer = await send(target(), 'POST', run, {
      credential,
      body: { ...body(await photo()), ...change },
    });
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
    expect(answer).toMatchObject({ status: 422, body: { error_code: 'FILTER_BLOCKED' } });
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
