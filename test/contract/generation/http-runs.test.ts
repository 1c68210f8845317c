import { describe, expect, it } from 'vitest';
import { READY_MADE_USER } from '../../../src/generation-service/storage/callers.ts';
import {
  eachOf,
  findSample,
  png,
  samples,
  samplesWith,
  signature,
} from '../../unit/generation-client/sample.ts';
import { makePhoto } from './client-calls.ts';
import { follow, photo, send, submit } from './http-calls.ts';
import { useTarget } from './target.ts';

/** Minutes, because a real service takes them for a video. */
const patience = 600_000;

/** The words for the states of a job, by the path on which it is polled. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  '/v6/status': ['IN_QUEUE', 'COMPLETED'],
  '/v5/status': ['IN_QUEUE', 'COMPLETED'],
  '/v2/status': ['QUEUED', 'RUNNING', 'COMPLETED'],
  '/v5/status_multi_swap': ['IN_QUEUE', 'PROCESSING', 'COMPLETED'],
  '/v1/status_stylized_multi_swap': ['QUEUED', 'RUNNING', 'COMPLETED'],
  '/v1/status_multi_swap': ['QUEUED', 'RUNNING', 'COMPLETED'],
  '/v1/status/single_frame_video': ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED'],
};

const film = Buffer.from('\0\0\0\x18ftypisom0000isommp42');
const cases = eachOf(samples).map(({ request: { endpoint }, path, statusPath }) => {
  const polled = statusPath.replace(/\/job-1$/, '');
  return { endpoint, path, polled, words: WORDS[polled] ?? [] };
});

describe('every run endpoint, from submission to result', () => {
  // client-endpoints.test.ts looks at what is rendered.
  const target = useTarget({
    script: {
      jobs: ({ output }) => ({ queuedMs: 30, runningMs: 30, result: output === 'video' ? film : png }),
    },
  });
  const creditsLeft = () => target().embedded?.credits(READY_MADE_USER);

  it.each(cases)('$path is polled on $polled ($words)', { timeout: patience }, async (given) => {
    const all = eachOf(samplesWith(await makePhoto()));
    const { credentials, body, cost } = findSample(all, given.endpoint);
    const before = creditsLeft();
    const { id, status } = await submit(target(), given.path, credentials, body);
    expect(status, `the words of ${given.polled} in WORDS`).toBe(given.words[0]);
    if (before !== undefined) {
      const took = before - (creditsLeft() ?? 0);
      expect(took, `${given.endpoint}: the service took ${took}, the client says ${cost}`).toBe(cost);
    }

    const reports = await follow(target(), given.polled, id, credentials);
    const last = reports.at(-1);
    expect(last?.status).toBe('COMPLETED');
    for (const report of reports) {
      expect(report.id).toBe(id);
      expect(given.words).toContain(report.status);
    }
    if (credentials === 'token') {
      for (const report of reports.slice(0, -1)) expect(report.output).toEqual({});
      expect(last?.output?.video_status).toBe('completed');
      const film = Buffer.from(await (await fetch(last?.output?.video_url ?? '')).arrayBuffer());
      expect(film.toString('latin1', 4, 8)).toBe('ftyp');
    } else {
      const images = last?.output?.images ?? [];
      expect(images).toHaveLength(1);
      expect(Buffer.from(images[0] ?? '', 'base64').subarray(0, 8)).toEqual(signature);
    }
  });

  it('knows a job on the status path of its own family only', async () => {
    const body = { image: await photo(), filter_id: 2 };
    const { id } = await submit(target(), '/v1/run/faceswap', 'key', body);
    for (const path of ['/v6/status', '/v5/status', '/v5/status_multi_swap', '/v1/status_multi_swap']) {
      expect((await send(target(), 'POST', `${path}/${id}`, { credential: 'key' })).status).toBe(404);
    }
    expect((await send(target(), 'POST', `/v2/status/${id}`, { credential: 'key' })).status).toBe(200);
    expect((await send(target(), 'POST', '/v2/status/unknown-job', { credential: 'key' })).status).toBe(404);
  });
});
