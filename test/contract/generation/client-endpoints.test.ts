// @module-tag slow
// @module-tag longest
import { createServer } from 'node:http';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GenerationClient } from '../../../src/generation-client/client.ts';
import type { GenerationRequest } from '../../../src/generation-client/endpoint.ts';
import { outputOf } from '../../../src/kinds/kinds.ts';
import { failureOf } from '../../fakes/service/open-client.ts';
import { eachOf, findSample, samples, samplesWith } from '../../fakes/service/sample-requests.ts';
import type { ServiceScript } from '../../fakes/service/script.ts';
import { createGenerationService } from '../../fakes/service/service.ts';
import { listen } from '../../listen.ts';
import { generate, isOutside, makePhoto, useTarget, withClient } from './calls.ts';

/** Video takes minutes at a real service. */
const patience = 600_000;

const firstOf = async (client: GenerationClient, name: Parameters<GenerationClient['catalog']>[0]) => {
  const [entry] = await client.catalog(name);
  if (entry === undefined) throw new Error(`the catalog ${name} is empty`);
  return entry.id;
};

describe('every endpoint, from submission to result', () => {
  const target = useTarget();

  const made = async (client: GenerationClient, request: GenerationRequest) => {
    const output = await generate(client, request);
    expect(output.kind).toBe(outputOf(request.endpoint));
    if (output.kind === 'video') {
      const start = Buffer.from(await (await fetch(output.url)).arrayBuffer()).subarray(4, 8);
      expect(start.toString('latin1')).toBe('ftyp');
      return undefined;
    }
    const { format, width, height } = await sharp(output.bytes).metadata();
    expect(format).toBe('png');
    return [width, height];
  };

  it.each([
    { what: 'portrait is the default', which: 'a number', options: {}, size: [1200, 1800] },
    {
      what: 'landscape, the fast quality',
      which: 'a number',
      options: { ratio: 'landscape', quality: 'v6' },
      size: [1800, 1200],
    },
    {
      what: 'a custom filter, square',
      which: 'a custom one',
      options: { ratio: 'square' },
      size: [1280, 1280],
    },
  ] as const)(
    'face-swap-v6 makes a picture from submission to result: $what',
    { timeout: patience },
    async ({ which, options, size }) => {
      await withClient(target(), async (client) => {
        const customs = which === 'a number' ? [] : await client.customFilters();
        const custom = customs.find(({ model }) => model === 'face')?.id;
        expect(custom === undefined).toBe(which === 'a number');
        const filter = custom ?? (await firstOf(client, 'face-v6'));
        const input = { photo: await makePhoto(), gender: 'girl', filter, ...options } as const;
        expect(await made(client, { endpoint: 'face-swap-v6', input })).toEqual(size);
      });
    },
  );

  it.each(eachOf(samples).map(({ request: { endpoint } }) => endpoint))(
    '%s makes what its sample asks for, from submission to result',
    { timeout: patience },
    async (endpoint) => {
      await withClient(target(), async (client) => {
        const numbers = {
          'face-v6': await firstOf(client, 'face-v6'),
          'face-v5': await firstOf(client, 'face-v5'),
          'face-v1': await firstOf(client, 'face-v1'),
          realistic: await firstOf(client, 'realistic'),
          stylized: await firstOf(client, 'stylized'),
          classic: await firstOf(client, 'classic'),
        };
        const all = eachOf(samplesWith(await makePhoto(160, 120), await makePhoto(200, 300), numbers));
        await made(client, findSample(all, endpoint).request);
      });
    },
  );
});

describe.skipIf(isOutside)('what only a scripted service shows', () => {
  /** A service of its own for one test. */
  const scripted = async (script: ServiceScript, options: { allowPrivateUrls?: boolean } = {}) => {
    const service = await createGenerationService({ script, ...options });
    onTestFinished(() => service.close());
    return service;
  };
  const run = async () =>
    ({
      endpoint: 'face-swap-v6',
      input: { photo: await makePhoto(), gender: 'male', filter: 1 },
    }) satisfies GenerationRequest;

  it('a run whose answer is lost is accepted once and sent once', async () => {
    const service = await scripted({
      http: ({ path }) => (path.startsWith('/v6/run') ? { kind: 'reset', when: 'after' } : undefined),
    });
    const error = await withClient(service, async (client) => failureOf(client.run(await run())));

    expect(error).toMatchObject({ kind: 'unknown-outcome', mayHaveArrived: true });
    expect(service.calls()['POST /v6/run/face_swap']).toBe(1);
    expect(service.accepted()).toBe(1);
  });

  it('a public link is handed to the service as it is', async () => {
    const asked: (string | undefined)[] = [];
    const { bytes } = await makePhoto();
    const files = createServer(({ url }, response) => {
      asked.push(url);
      response.end(bytes);
    });

    onTestFinished(() => void files.close());
    const link = { url: `${await listen(files)}/photo.jpg` };
    const service = await scripted({ jobs: { queuedMs: 1e9, runningMs: 0 } }, { allowPrivateUrls: true });
    await withClient(service, (client) =>
      client.run({ endpoint: 'face-swap-v1', input: { photo: link, filter: 1 } }),
    );

    expect(asked).toEqual(['/photo.jpg']);
  });
});
