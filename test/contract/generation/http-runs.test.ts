import { describe, expect, it } from 'vitest';
import {
  eachOf,
  findSample,
  png,
  samples,
  samplesWith,
  signature,
} from '../../fakes/service/sample-requests.ts';
import { follow, isOutside, makePhoto, photo, poll, send, submit, useTarget } from './calls.ts';

/** Minutes, because a real service takes them for a video. */
const patience = 600_000;
/** An outside service cannot be told to fail, to be poor or to take its time. */
const embeddedOnly = 'embedded service only: needs scripting';

/** The words for a job that waits and for one that runs, by the path on which it is polled. */
const WORDS: Readonly<Record<string, { readonly waiting: string; readonly running: string }>> = {
  '/v6/status': { waiting: 'IN_QUEUE', running: 'IN_QUEUE' },
  '/v5/status': { waiting: 'IN_QUEUE', running: 'IN_QUEUE' },
  '/v2/status': { waiting: 'QUEUED', running: 'RUNNING' },
  '/v5/status_multi_swap': { waiting: 'IN_QUEUE', running: 'PROCESSING' },
  '/v1/status_stylized_multi_swap': { waiting: 'QUEUED', running: 'RUNNING' },
  '/v1/status_multi_swap': { waiting: 'QUEUED', running: 'RUNNING' },
  '/v1/status/single_frame_video': { waiting: 'IN_QUEUE', running: 'IN_PROGRESS' },
};

const film = Buffer.from('\0\0\0\x18ftypisom0000isommp42');
const cases = eachOf(samples).map(({ request: { endpoint }, path, statusPath }) => {
  const polled = statusPath.replace(/\/job-1$/, '');
  return { endpoint, path, polled, words: WORDS[polled] ?? { waiting: '', running: '' } };
});
const sampleOf = async (endpoint: string) => findSample(eachOf(samplesWith(await makePhoto())), endpoint);

describe('every run endpoint, from submission to result', () => {
  // client-endpoints.test.ts looks at what is rendered.
  const target = useTarget({
    script: {
      jobs: ({ output }) => ({ queuedMs: 30, runningMs: 30, result: output === 'video' ? film : png }),
    },
  });
  const creditsLeft = () => target().embedded?.credits();

  it.each(cases)(
    '$path is polled on $polled ($words.waiting, $words.running)',
    { timeout: patience },
    async (given) => {
      const { credentials, body, cost } = await sampleOf(given.endpoint);
      const before = creditsLeft();
      const { id, status } = await submit(target(), given.path, credentials, body);

      expect(status, `the words of ${given.polled} in WORDS`).toBe(given.words.waiting);

      if (before !== undefined) {
        const took = before - (creditsLeft() ?? 0);
        expect(took, `${given.endpoint}: the service took ${took}, the client says ${cost}`).toBe(cost);
      }

      const reports = await follow(target(), given.polled, id, credentials);
      const last = reports.at(-1);

      expect(last?.status).toBe('COMPLETED');
      for (const report of reports) {
        expect(report.id).toBe(id);
        expect([given.words.waiting, given.words.running, 'COMPLETED']).toContain(report.status);
      }

      if (credentials === 'token') {
        for (const report of reports.slice(0, -1)) expect(report.output).toEqual({});
        expect(last?.output?.video_status).toBe('completed');
        const made = Buffer.from(await (await fetch(last?.output?.video_url ?? '')).arrayBuffer());
        expect(made.toString('latin1', 4, 8)).toBe('ftyp');
      } else {
        const images = last?.output?.images ?? [];
        expect(images).toHaveLength(1);
        expect(Buffer.from(images[0] ?? '', 'base64').subarray(0, 8)).toEqual(signature);
      }
    },
  );

  it('a job is known on the status path of its own family only', async () => {
    const body = { image: await photo(), filter_id: 2 };
    const { id } = await submit(target(), '/v1/run/faceswap', 'key', body);

    for (const path of ['/v6/status', '/v5/status', '/v5/status_multi_swap', '/v1/status_multi_swap']) {
      expect((await send(target(), 'POST', `${path}/${id}`, { credential: 'key' })).status).toBe(404);
    }
    expect((await send(target(), 'POST', `/v2/status/${id}`, { credential: 'key' })).status).toBe(200);
    expect((await send(target(), 'POST', '/v2/status/unknown-job', { credential: 'key' })).status).toBe(404);
  });
});

describe.skipIf(isOutside)(`a job that fails (${embeddedOnly})`, () => {
  let time = Date.UTC(2026, 0, 1);
  const target = useTarget({
    clock: { now: () => time },
    script: { jobs: { queuedMs: 10_000, runningMs: 20_000, failure: 'the lens cap was on' } },
  });

  it.each(cases)(
    'a job of $path that fails passes through $words.waiting and $words.running to FAILED',
    async ({ endpoint, path, polled, words }) => {
      const { credentials, body } = await sampleOf(endpoint);
      const { id } = await submit(target(), path, credentials, body);
      const seen: string[] = [];

      for (const step of [9_000, 20_000, 2_000]) {
        time += step;
        seen.push((await poll(target(), polled, id, credentials)).status);
      }

      expect(seen).toEqual([words.waiting, words.running, 'FAILED']);

      const { output } = await poll(target(), polled, id, credentials);
      if (credentials === 'token')
        expect(output).toEqual({ video_status: 'failed', video_error: 'the lens cap was on' });
      else expect(output?.images).toBeUndefined();
    },
  );
});

describe.skipIf(isOutside)(`credits (${embeddedOnly})`, () => {
  const target = useTarget(
    {
      credits: 12,
      script: {
        jobs: ({ count }) => (count === 1 ? { failure: 'scripted' } : { result: new Uint8Array(8) }),
      },
    },
    'test',
  );
  const run = async (endpoint: string, change: Record<string, unknown> = {}) => {
    const { path, body, credentials } = await sampleOf(endpoint);
    const sent = { credential: credentials, body: { ...body, ...change } };
    const { status } = await send(target(), 'POST', path, sent);
    return { status, left: target().embedded?.credits() };
  };

  it('credits are given back for a job that fails, spent for others, and refused when they are not enough', async () => {
    expect(await run('single-frame-video', { model: 'advanced', duration: '6s' })).toEqual({
      status: 402,
      left: 12,
    });
    expect(await run('face-swap-v6')).toEqual({ status: 200, left: 12 });
    expect(await run('face-swap-v6')).toEqual({ status: 200, left: 10 });
    expect(await run('multi-swap-realistic')).toEqual({ status: 200, left: 7 });
    expect(await run('first-last-frame-video')).toEqual({ status: 402, left: 7 });
    expect(await run('single-frame-video', { model: 'simple' })).toEqual({ status: 200, left: 2 });
    expect(await run('multi-swap-classic')).toEqual({ status: 402, left: 2 });
    expect(await run('face-swap-v6', { base64: 'AAAA' })).toEqual({ status: 400, left: 2 });
  });
});
