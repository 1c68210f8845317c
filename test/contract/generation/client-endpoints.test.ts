import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { GenerationClient } from '../../../src/generation-client/client.ts';
import {
  type EndpointName,
  endpoints,
  type GenerationRequest,
} from '../../../src/generation-client/endpoints.ts';
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
  {
    endpoint: 'face-swap-v5',
    what: 'a number of the v5 catalog',
    make: async (client) => ({
      endpoint: 'face-swap-v5',
      input: { image: await makePhoto(), gender: 'male', filter: await firstOf(client, 'face-v5') },
    }),
  },
  {
    endpoint: 'face-swap-v1',
    what: 'a number of the v1 catalog',
    make: async (client) => ({
      endpoint: 'face-swap-v1',
      input: { image: await makePhoto(), filter: await firstOf(client, 'face-v1') },
    }),
  },
  {
    endpoint: 'self-prompt',
    what: 'a prompt',
    make: async () => ({
      endpoint: 'self-prompt',
      input: { image: await makePhoto(), prompt: 'a knight in the rain' },
    }),
  },
  {
    endpoint: 'multi-swap-realistic',
    what: 'a style, outpainted',
    make: async (client) => ({
      endpoint: 'multi-swap-realistic',
      input: { image: await makePhoto(), style: await firstOf(client, 'realistic'), outpaint: true },
    }),
  },
  {
    endpoint: 'multi-swap-realistic-prompt',
    what: 'a prompt',
    make: async () => ({
      endpoint: 'multi-swap-realistic-prompt',
      input: { images: [await makePhoto()], prompt: 'pirates' },
    }),
  },
  {
    endpoint: 'multi-swap-stylized',
    what: 'a style',
    make: async (client) => ({
      endpoint: 'multi-swap-stylized',
      input: { image: await makePhoto(), style: await firstOf(client, 'stylized') },
    }),
  },
  {
    endpoint: 'multi-swap-stylized-prompt',
    what: 'a prompt and two photos',
    make: async () => ({
      endpoint: 'multi-swap-stylized-prompt',
      input: { images: [await makePhoto(), await makePhoto(200, 300)], prompt: 'clay figures' },
    }),
  },
  {
    endpoint: 'multi-swap-classic',
    what: 'a style and two photos',
    make: async (client) => ({
      endpoint: 'multi-swap-classic',
      input: { images: [await makePhoto(), await makePhoto()], style: await firstOf(client, 'classic') },
    }),
  },
  {
    endpoint: 'single-frame-video',
    what: 'the simple model',
    make: async () => ({
      endpoint: 'single-frame-video',
      input: { image: await makePhoto(160, 120), prompt: 'zoom in', model: 'simple', duration: '4s' },
    }),
  },
  {
    endpoint: 'first-last-frame-video',
    what: 'two frames',
    make: async () => {
      const [first, last] = [await makePhoto(160, 120), await makePhoto(160, 120)];
      const input = { first, last, prompt: 'melt', model: 'advanced', duration: '4s' } as const;
      return { endpoint: 'first-last-frame-video', input };
    },
  },
];

describe('every endpoint, from submission to result', () => {
  const target = useTarget();

  it('is among these', () => {
    expect(new Set(cases.map(({ endpoint }) => endpoint))).toEqual(new Set(Object.keys(endpoints)));
  });

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
