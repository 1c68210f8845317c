import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endpoints, type GenerationRequest } from '../../../src/generation-client/endpoints.ts';
import type { ServiceScript } from '../../fakes/service/script.ts';
import { createGenerationService } from '../../fakes/service/service.ts';
import { failureOf, generate, makePhoto, withClient } from './client-calls.ts';
import { isOutside, useTarget } from './target.ts';

const nobody = '00000000-0000-4000-8000-000000000000';
const photo = await makePhoto();
const noPhoto = { bytes: Buffer.from('this is no picture'), type: 'image/jpeg' } as const;

const face = (
  change: Partial<{ image: typeof photo; filter: number | string; gender: 'male' | 'group' }> = {},
) =>
  ({
    endpoint: 'face-swap-v6',
    input: { image: photo, gender: 'male', filter: 1, ...change },
  }) satisfies GenerationRequest;
const video = {
  endpoint: 'single-frame-video',
  input: { image: photo, prompt: 'zoom', model: 'simple', duration: '4s' },
} satisfies GenerationRequest;

describe('errors of the interface, as the client tells them', () => {
  const target = useTarget();

  it('wrong credentials, of both kinds', async () => {
    await withClient(
      target(),
      async (client) => {
        const calls = [
          client.run(face()),
          client.run(video),
          client.catalog('face-v6'),
          client.aliases.list(),
        ];
        for (const error of await Promise.all(calls.map(failureOf))) expect(error.kind).toBe('unauthorized');
      },
      { apiKey: 'wrong', token: 'wrong' },
    );
  });

  it.each([
    ['FILTER_NOT_FOUND', 'filter-unknown', face({ filter: 99_999_999 })],
    ['WORKFLOW_FETCH_FAILED', 'filter-broken', face({ filter: nobody })],
    ['INVALID_IMAGE', 'photo-unreadable', face({ image: noPhoto })],
  ])('%s: %s', async (code, reason, request) => {
    const error = await withClient(target(), (client) => failureOf(client.run(request)));
    expect(error).toMatchObject({ kind: 'refused', code, reason, mayHaveArrived: false });
  });

  it('FILTER_BLOCKED: some filters do not take groups', async () => {
    await withClient(target(), async (client) => {
      const codes = new Set<string | undefined>();
      for (const { id } of await client.catalog('face-v6')) {
        // No picture: filters that do take groups refuse it, and nothing is spent.
        const error = await failureOf(client.run(face({ filter: id, gender: 'group', image: noPhoto })));
        codes.add(error.code);
      }
      expect(codes).toEqual(new Set(['FILTER_BLOCKED', 'INVALID_IMAGE']));
    });
  });

  it('a job that nobody submitted, on every status path', async () => {
    await withClient(target(), async (client) => {
      for (const endpoint of Object.keys(endpoints) as (keyof typeof endpoints)[]) {
        const error = await failureOf(client.status({ endpoint, id: nobody }));
        expect(error.kind).toBe('not-found');
      }
    });
  });
});

/** A scripted service of its own for one test. */
async function scripted(
  script: ServiceScript,
  options: { credits?: number; allowPrivateUrls?: boolean } = {},
) {
  const service = await createGenerationService({ script, ...options });
  onTestFinished(() => service.close());
  return service;
}

describe.skipIf(isOutside)('what only a scripted service shows', () => {
  const forever = 1e9;
  const states: [plan: { queuedMs: number; runningMs: number }, face: string, video: string][] = [
    [{ queuedMs: forever, runningMs: 0 }, 'waiting', 'waiting'],
    [{ queuedMs: 0, runningMs: forever }, 'waiting', 'running'],
  ];
  it.each(states)('states before the end: %j', async (jobs, faceState, videoState) => {
    await withClient(await scripted({ jobs }), async (client) => {
      const stateOf = async (request: GenerationRequest) => {
        const { id } = await client.run(request);
        return (await client.status({ endpoint: request.endpoint, id })).state;
      };
      expect(await stateOf(face())).toBe(faceState);
      expect(await stateOf(video)).toBe(videoState);
    });
  });

  it('a job that fails says why', async () => {
    const service = await scripted({ jobs: { queuedMs: 0, runningMs: 0, failure: 'no face in the photo' } });
    await withClient(service, async (client) => {
      for (const request of [face(), video]) {
        await expect(generate(client, request)).rejects.toThrow('the job failed: no face in the photo');
      }
    });
  });

  it('too few credits', async () => {
    await withClient(await scripted({}, { credits: 1 }), async (client) => {
      for (const request of [face(), video]) {
        const error = await failureOf(client.run(request));
        expect(error).toMatchObject({ kind: 'credits', status: 402, mayHaveArrived: false });
      }
    });
  });

  it('a run whose answer is lost is accepted once and sent once', async () => {
    const service = await scripted({
      http: [{ operation: 'POST /v6/run', fault: { kind: 'reset', when: 'after' } }],
    });
    const error = await withClient(service, (client) => failureOf(client.run(face())));
    expect(error).toMatchObject({ kind: 'unknown-outcome', mayHaveArrived: true });
    expect(service.calls()['POST /v6/run/face_swap']).toBe(1);
    expect(service.accepted()).toBe(1);
  });

  it('a run refused with 429 is sent again', async () => {
    const fault = { kind: 'status', status: 429, headers: { 'retry-after': '0' } } as const;
    const service = await scripted({ http: [{ operation: 'POST /v6/run', times: 2, fault }] });
    await withClient(service, (client) => client.run(face()), { sleep: async () => {} });
    expect(service.calls()['POST /v6/run/face_swap']).toBe(3);
    expect(service.accepted()).toBe(1);
  });

  it('a public link is handed to the service as it is', async () => {
    const asked: (string | undefined)[] = [];
    const files = createServer(({ url }, response) => {
      asked.push(url);
      response.end(photo.bytes);
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void files.close());
    await new Promise((listening) => files.once('listening', listening));
    const link = { url: `http://127.0.0.1:${(files.address() as AddressInfo).port}/photo.jpg` };
    const jobs = { queuedMs: forever, runningMs: 0 };
    const service = await scripted({ jobs }, { allowPrivateUrls: true });
    const { id } = await withClient(service, (client) =>
      client.run({ endpoint: 'face-swap-v1', input: { image: link, filter: 1 } }),
    );
    expect(id).not.toBe('');
    expect(asked).toEqual(['/photo.jpg']);
  });
});
