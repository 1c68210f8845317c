import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dataUri, look, photo, send, submit } from './http-calls.ts';
import { isOutside, useTarget } from './target.ts';

/** An outside service cannot be told to fail, to be poor or to take its time. */
const embeddedOnly = 'embedded service only: needs scripting';

const families = [
  { run: '/v6/run/face_swap', status: '/v6/status', words: ['IN_QUEUE', 'IN_QUEUE', 'FAILED'] },
  { run: '/v5/run/face_swap', status: '/v5/status', words: ['IN_QUEUE', 'IN_QUEUE', 'FAILED'] },
  { run: '/v1/run/faceswap', status: '/v2/status', words: ['QUEUED', 'RUNNING', 'FAILED'] },
  { run: '/v2/run/self-prompt', status: '/v2/status', words: ['QUEUED', 'RUNNING', 'FAILED'] },
  { run: '/v5/run/multi_swap', status: '/v5/status_multi_swap', words: ['IN_QUEUE', 'PROCESSING', 'FAILED'] },
  {
    run: '/v5/run/multi_swap_self_prompt',
    status: '/v5/status_multi_swap',
    words: ['IN_QUEUE', 'PROCESSING', 'FAILED'],
  },
  {
    run: '/v1/run/stylized_multi_swap',
    status: '/v1/status_stylized_multi_swap',
    words: ['QUEUED', 'RUNNING', 'FAILED'],
  },
  {
    run: '/v1/run/stylized_multi_swap_self_prompt',
    status: '/v1/status_stylized_multi_swap',
    words: ['QUEUED', 'RUNNING', 'FAILED'],
  },
  { run: '/v4/multi_swap_styles/', status: '/v1/status_multi_swap', words: ['QUEUED', 'RUNNING', 'FAILED'] },
  {
    run: '/v1/run/single_frame_video',
    status: '/v1/status/single_frame_video',
    words: ['IN_QUEUE', 'IN_PROGRESS', 'FAILED'],
  },
  {
    run: '/v1/run/first_last_frame_video',
    status: '/v1/status/single_frame_video',
    words: ['IN_QUEUE', 'IN_PROGRESS', 'FAILED'],
  },
] as const;

/** Every field that any run endpoint knows: each takes its own and ignores the others. */
const everything = async () => {
  const image = await photo();
  return {
    base64: image,
    image,
    input_image: image,
    input_images: [image],
    prompt_image: dataUri(image),
    first_frame: dataUri(image),
    last_frame: dataUri(image),
    gender: 1,
    filter_id: 1,
    style_id: 1,
    outpaint: false,
    prompt: 'zoom in',
    model: 'advanced',
    duration: '4s',
  };
};

describe.skipIf(isOutside)(`the words of each family (${embeddedOnly})`, () => {
  let time = Date.UTC(2026, 0, 1);
  const target = useTarget({
    clock: { now: () => time },
    script: { jobs: { queuedMs: 10_000, runningMs: 20_000, failure: 'the lens cap was on' } },
  });

  it.each(families)('$run: $words', async ({ run, status, words }) => {
    const credential = status.endsWith('video') ? 'token' : 'key';
    const { id, status: first } = await submit(target(), run, credential, await everything());
    expect(first).toBe(words[0]);
    const seen: string[] = [];
    for (const step of [9_000, 20_000, 2_000]) {
      time += step;
      seen.push((await look(target(), status, id, credential)).status);
    }
    expect(seen).toEqual(words);
    const { output } = await look(target(), status, id, credential);
    if (credential === 'token') {
      expect(output).toEqual({ video_status: 'failed', video_error: 'the lens cap was on' });
    } else expect(output?.images).toBeUndefined();
  });
});

describe.skipIf(isOutside)(`credits (${embeddedOnly})`, () => {
  const user = 'poor@darkroom.example';
  const target = useTarget(
    {
      apiKeys: { 'poor-key': user },
      tokens: { 'poor-token': user },
      credits: { [user]: 12 },
      script: {
        jobs: [{ times: 1, plan: { failure: 'scripted' } }, { plan: { result: new Uint8Array(8) } }],
      },
    },
    'test',
  );
  const left = () => target().embedded?.credits(user);
  const post = async (path: string, change: Record<string, unknown> = {}) =>
    send(target(), 'POST', path, {
      credential: 'none',
      headers: { 'X-API-Key': 'poor-key', authorization: 'Bearer poor-token' },
      body: { ...(await everything()), ...change },
    });

  it('are given back for a job that fails, spent for others, and then are not enough', async () => {
    expect((await post('/v6/run/face_swap')).status).toBe(200);
    expect(left()).toBe(12);
    expect((await post('/v6/run/face_swap')).status).toBe(200);
    expect(left()).toBe(10);
    expect((await post('/v5/run/multi_swap')).status).toBe(200);
    expect(left()).toBe(7);
    expect((await post('/v1/run/single_frame_video')).status).toBe(402);
    expect((await post('/v1/run/first_last_frame_video')).status).toBe(402);
    expect(left()).toBe(7);
    expect((await post('/v1/run/single_frame_video', { model: 'simple' })).status).toBe(200);
    expect(left()).toBe(2);
    expect((await post('/v4/multi_swap_styles/')).status).toBe(402);
    expect((await post('/v6/run/face_swap', { base64: 'AAAA' })).status).toBe(400);
    expect(left()).toBe(2);
  });

  it("and jobs, aliases and custom filters are the caller's alone", async () => {
    const made = await post('/api/alias/');
    expect(made.status).toBe(422);
    const customs = z.array(z.object({ uuid: z.string() }));
    const own = customs.parse(
      (await send(target(), 'GET', '/v1/users/me/my-custom-filters', { credential: 'key' })).body,
    );
    const [filter] = own;
    const poor = { authorization: 'Bearer poor-token' };
    const alias = await send(target(), 'POST', '/api/alias/', {
      credential: 'token',
      body: { ai_filter: filter?.uuid },
    });
    const { id } = z.object({ id: z.string() }).parse(alias.body);
    const foreign = (method: string, path: string, body?: unknown) =>
      send(target(), method, path, { credential: 'none', headers: poor, ...(body ? { body } : {}) });
    expect((await foreign('GET', `/api/alias/${id}/`)).status).toBe(404);
    expect((await foreign('PATCH', `/api/alias/${id}/`, { project: 'mine' })).status).toBe(404);
    expect((await foreign('DELETE', `/api/alias/${id}/`)).status).toBe(404);
    expect((await foreign('POST', '/api/alias/', { ai_filter: filter?.uuid })).status).toBe(422);
    expect((await foreign('GET', '/api/alias/')).body).toEqual([]);
    const job = await submit(target(), '/v6/run/face_swap', 'key', await everything());
    const spied = await send(target(), 'POST', `/v6/status/${job.id}`, {
      credential: 'none',
      headers: { 'X-API-Key': 'poor-key' },
    });
    expect(spied.status).toBe(404);
  });
});

describe.skipIf(isOutside)(`filters for one person only (${embeddedOnly})`, () => {
  const target = useTarget();

  it('are blocked for groups, as is every UUID', async () => {
    const custom = z
      .array(z.object({ uuid: z.string(), filter_type: z.string() }))
      .parse((await send(target(), 'GET', '/v1/users/me/my-custom-filters', { credential: 'key' })).body)
      .find(({ filter_type }) => filter_type === 'face_swap');
    for (const filter_id of [16, 17, 24, 30, custom?.uuid]) {
      const body = { ...(await everything()), gender: 4, filter_id };
      const answer = await send(target(), 'POST', '/v6/run/face_swap', { credential: 'key', body });
      expect(answer).toMatchObject({ status: 422, body: { error_code: 'FILTER_BLOCKED' } });
    }
  });
});
