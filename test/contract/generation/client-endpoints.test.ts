import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { GenerationClient } from '../../../src/generation-client/client.ts';
import {
  type EndpointName,
  endpoints,
  type GenerationRequest,
} from '../../../src/generation-client/endpoints.ts';
import { eachOf, findSample, samples, samplesWith } from '../../unit/generation-client/sample.ts';
import { generate, makePhoto, withClient } from './client-calls.ts';
import { useTarget } from './target.ts';

/** Video takes minutes at a real service. */
const patience = 600_000;

type Size = { width: number; height: number };
const portrait: Size = { width: 1200, height: 1800 };
const landscape: Size = { width: 1800, height: 1200 };
const square: Size = { width: 1280, height: 1280 };

const firstOf = async (client: GenerationClient, name: Parameters<GenerationClient['catalog']>[0]) => {
  const [entry] = await client.catalog(name);
  if (entry === undefined) throw new Error(`the catalog ${name} is empty`);
  return entry.id;
};

type Case = {
  endpoint: EndpointName;
  what: string;
  size?: Size;
  make: (client: GenerationClient) => Promise<GenerationRequest>;
};

const cases: Case[] = [
  {
    endpoint: 'face-swap-v6',
    what: 'portrait is the default',
    size: portrait,
    make: async (client) => ({
      endpoint: 'face-swap-v6',
      input: { image: await makePhoto(), gender: 'female', filter: await firstOf(client, 'face-v6') },
    }),
  },
  {
    endpoint: 'face-swap-v6',
    what: 'landscape, the fast quality',
    size: landscape,
    make: async (client) => ({
      endpoint: 'face-swap-v6',
      input: {
        image: await makePhoto(),
        gender: 'boy',
        filter: await firstOf(client, 'face-v6'),
        ratio: 'landscape',
        quality: 'v6',
      },
    }),
  },
  {
    endpoint: 'face-swap-v6',
    what: 'a custom filter, square',
    size: square,
    make: async (client) => {
      const filter = (await client.customFilters()).find(({ model }) => model === 'face');
      if (filter === undefined) throw new Error('no custom face filter');
      const input = { image: await makePhoto(), gender: 'girl', filter: filter.id, ratio: 'square' } as const;
      return { endpoint: 'face-swap-v6', input };
    },
  },
  ...eachOf(samples).map(
    ({ request: { endpoint } }): Case => ({
      endpoint,
      what: 'a sample',
      make: async (client) => {
        const numbers = {
          'face-v6': await firstOf(client, 'face-v6'),
          'face-v5': await firstOf(client, 'face-v5'),
          'face-v1': await firstOf(client, 'face-v1'),
          realistic: await firstOf(client, 'realistic'),
          stylized: await firstOf(client, 'stylized'),
          classic: await firstOf(client, 'classic'),
        };
        const all = eachOf(samplesWith(await makePhoto(160, 120), await makePhoto(200, 300), numbers));
        return findSample(all, endpoint).request;
      },
    }),
  ),
];

describe('every endpoint, from submission to result', () => {
  const target = useTarget();

  it.each(cases)('$endpoint: $what', { timeout: patience }, async ({ make, size, endpoint }) => {
    await withClient(target(), async (client) => {
      const output = await generate(client, await make(client));
      expect(output.kind).toBe(endpoints[endpoint].output);
      if (output.kind === 'video') {
        const start = Buffer.from(await (await fetch(output.url)).arrayBuffer()).subarray(4, 8);
        expect(start.toString('latin1')).toBe('ftyp');
        return;
      }
      const { format, width, height } = await sharp(output.bytes).metadata();
      expect(format).toBe('png');
      if (size !== undefined) expect({ width, height }).toEqual(size);
    });
  });
});
