import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GenerationRequest } from '../../../src/generation-client/endpoints.ts';
import type { ServiceScript } from '../../fakes/service/script.ts';
import { createGenerationService } from '../../fakes/service/service.ts';
import { failureOf, makePhoto, withClient } from './client-calls.ts';
import { isOutside } from './target.ts';

const photo = await makePhoto();
const face = {
  endpoint: 'face-swap-v6',
  input: { image: photo, gender: 'male', filter: 1 },
} satisfies GenerationRequest;

/** A scripted service of its own for one test. */
async function scripted(script: ServiceScript, options: { allowPrivateUrls?: boolean } = {}) {
  const service = await createGenerationService({ script, ...options });
  onTestFinished(() => service.close());
  return service;
}

describe.skipIf(isOutside)('what only a scripted service shows', () => {
  it('a run whose answer is lost is accepted once and sent once', async () => {
    const service = await scripted({
      http: [{ operation: 'POST /v6/run', fault: { kind: 'reset', when: 'after' } }],
    });
    const error = await withClient(service, (client) => failureOf(client.run(face)));
    expect(error).toMatchObject({ kind: 'unknown-outcome', mayHaveArrived: true });
    expect(service.calls()['POST /v6/run/face_swap']).toBe(1);
    expect(service.accepted()).toBe(1);
  });

  it('a run refused with 429 is sent again', async () => {
    const fault = { kind: 'status', status: 429, headers: { 'retry-after': '0' } } as const;
    const service = await scripted({ http: [{ operation: 'POST /v6/run', times: 2, fault }] });
    await withClient(service, (client) => client.run(face), { sleep: async () => {} });
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
    const jobs = { queuedMs: 1e9, runningMs: 0 };
    const service = await scripted({ jobs }, { allowPrivateUrls: true });
    const { id } = await withClient(service, (client) =>
      client.run({ endpoint: 'face-swap-v1', input: { image: link, filter: 1 } }),
    );
    expect(id).not.toBe('');
    expect(asked).toEqual(['/photo.jpg']);
  });
});
