import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createGenerationClient } from '../../../src/generation-client/client.ts';
import { createEndpoints, type GenerationRequest } from '../../../src/generation-client/endpoint.ts';
import { completeAssumptions } from '../../../src/generation-client/wire/assumptions.ts';
import type { Field } from '../../../src/kinds/field.ts';
import { jobKinds, KINDS } from '../../../src/kinds/kinds.ts';
import { apiKey, failureOf, openClient, token } from '../../fakes/service/open-client.ts';
import { sampleOf, samples, uuid } from '../../fakes/service/sample-requests.ts';
import { json } from '../../fakes/service/scripted-service.ts';

const accepted = json(200, { id: 'job-1', status: 'QUEUED' });

const endpoints = createEndpoints(completeAssumptions(), { simple: 5, advanced: 10, performance: 20 });

const bodyOf = ({ endpoint, input }: GenerationRequest): string =>
  Buffer.concat([...endpoints.of(endpoint).toBody(input).pieces()]).toString();

const isAllowed = ({ endpoint, input }: GenerationRequest): boolean => {
  try {
    return endpoints.of(endpoint).price(input) > 0;
  } catch {
    return false;
  }
};

/** The values that can be chosen for an option. */
const valuesOf = (field: Field): readonly unknown[] =>
  field.role === 'option' && field.schema instanceof z.ZodEnum
    ? field.schema.options
    : [true, false, 1, 2, uuid, 'a text'];

/** Each option with the inputs of each sample that differ in it, the sample's own value included, as far as the rules allow. */
const varied = samples.flatMap(({ request: { endpoint, input } }) =>
  Object.entries<Field>(KINDS[endpoint].fields).flatMap(([option, field]) => {
    if (field.role === 'photo' || field.role === 'photos') return [];
    const own = Object.entries(input).flatMap(([name, value]) => (name === option ? [value] : []));
    const values = new Set([...valuesOf(field), ...own]);
    const requests = [...values].map((value) => ({ endpoint, input: { ...input, [option]: value } }));
    return { endpoint, option, requests: requests.filter(isAllowed) };
  }),
);

describe('every run endpoint', () => {
  it.each(varied)('the endpoint $endpoint sends each value of $option', ({ requests }) => {
    expect(requests).not.toEqual([]);
    expect(new Set(requests.map(bodyOf)).size).toBe(requests.length);
  });

  it('every run endpoint is covered by a sample', () => {
    const sampled = new Set<string>(samples.map(({ request }) => request.endpoint));
    const missing = jobKinds.filter((name) => !sampled.has(name));
    expect(missing.join(), 'without a sample in test/fakes/service/sample-requests.ts').toBe('');
  });

  it.each(samples)('a run of $request.endpoint is sent as the interface says', async (sample) => {
    const { client, service } = await openClient(accepted);
    expect(await client.run(sample.request)).toEqual({ id: 'job-1', state: 'waiting' });

    const [seen] = service.seen;
    expect(seen?.method).toBe('POST');
    expect(seen?.path).toBe(sample.path);
    expect(JSON.parse(seen?.body ?? '')).toEqual(sample.body);
    expect(seen?.headers['content-type']).toBe('application/json');
    expect(seen?.headers['x-api-key']).toBe(sample.credentials === 'key' ? apiKey : undefined);
    expect(seen?.headers.authorization).toBe(sample.credentials === 'token' ? `Bearer ${token}` : undefined);
  });

  it.each(samples)('a run of $request.endpoint is polled on its own path', async (sample) => {
    const { client, service } = await openClient(json(200, { id: 'job-1', status: 'RUNNING' }));
    expect(await client.status({ endpoint: sample.request.endpoint, id: 'job-1' })).toEqual({
      state: 'running',
    });
    expect(service.seen[0]).toMatchObject({ method: 'POST', path: sample.statusPath, body: '{}' });

    const credential = service.seen[0]?.headers[sample.credentials === 'key' ? 'x-api-key' : 'authorization'];
    expect(credential).toContain(sample.credentials === 'key' ? apiKey : token);
  });

  it.each(samples)(
    'a run of $request.endpoint has its price, among those that are told before',
    async (sample) => {
      const { client, service } = await openClient(accepted);
      expect(client.cost(sample.request)).toBe(sample.cost);

      const { least, most } = client.prices(sample.request.endpoint) ?? { least: 0, most: 0 };
      expect(least).toBeGreaterThan(0);
      expect(least).toBeLessThanOrEqual(sample.cost);
      expect(most).toBeGreaterThanOrEqual(sample.cost);
      expect(service.seen).toEqual([]);
    },
  );

  it('the prices of videos are those of models and durations that go together', async () => {
    const { client } = await openClient(accepted, {
      // The dearest model makes videos of 4 seconds only.
      videoCredits: { simple: 50, advanced: 10, performance: 20 },
    });
    expect(client.prices('single-frame-video')).toEqual({ least: 10, most: 50 });
    expect(client.prices('first-last-frame-video')).toEqual({ least: 10, most: 20 });
    expect(client.prices('face-swap-v6')).toEqual({ least: 2, most: 2 });
  });
});

describe('addresses', () => {
  it('the addresses of endpoints keep a path prefix of the base URL', async () => {
    const { service } = await openClient(accepted);
    const client = createGenerationClient({ baseUrl: `${service.url}/behind/a/proxy/` });

    await client.run(sampleOf('face-swap-v6'));
    await client.close();

    expect(service.seen[0]?.path).toBe('/behind/a/proxy/v6/run/face_swap');
  });

  it('a job id does not change the path of its endpoint', async () => {
    const { client, service } = await openClient(json(200, { status: 'RUNNING' }));
    await client.status({ endpoint: 'face-swap-v6', id: 'a.b:c$&=+,;@' });
    expect(service.seen[0]?.path).toBe('/v6/status/a.b%3Ac%24%26%3D%2B%2C%3B%40');

    const odd = ['../x', 'a/b', 'a\\b', '1?x=2', '1#2', '%2e%2e', 'a b', 'a\nb', '\0', 'ä'];
    for (const id of ['', '.', '..', 'x'.repeat(300), '\ud800', ...odd]) {
      expect((await failureOf(client.status({ endpoint: 'face-swap-v6', id }))).kind).toBe('rule');
    }
    expect(service.seen).toHaveLength(1);
  });
});

describe('what the interface does not show', () => {
  it('details that the interface does not show follow the configuration', async () => {
    const { client, service } = await openClient(accepted, {
      apiKeyHeader: 'Authorization',
      videoCredits: { simple: 1, advanced: 2, performance: 3 },
      assumptions: {
        apiKeyPrefix: 'Api-Key ',
        statusBody: '',
        credits: { face: 9 },
        paths: { classicStatus: '/v4/status/{id}' },
        fields: { 'face-swap-v1': { image: 'photo' }, 'multi-swap-stylized': { outpaint: null } },
      },
    });

    await client.run(sampleOf('face-swap-v1'));
    await client.run(sampleOf('multi-swap-stylized'));
    await client.status({ endpoint: 'multi-swap-classic', id: 'job-1' });

    expect(service.seen.map(({ body }) => body && Object.keys(JSON.parse(body)))).toEqual([
      ['photo', 'filter_id'],
      ['input_image', 'style_id'],
      '',
    ]);
    expect(service.seen[2]?.path).toBe('/v4/status/job-1');
    expect(service.seen[0]?.headers.authorization).toBe(`Api-Key ${apiKey}`);
    expect(client.cost(sampleOf('face-swap-v5'))).toBe(9);
    expect(client.cost(sampleOf('multi-swap-stylized'))).toBe(3);
    expect(client.cost(sampleOf('single-frame-video'))).toBe(5);
  });

  it('an invalid assumption about the interface is reported with its name', () => {
    const open = (assumptions: Record<string, unknown>) => () =>
      createGenerationClient({ baseUrl: 'http://127.0.0.1', assumptions });

    expect(open({ fields: { 'face-swap-v1': { image: 5 } } })).toThrow(/"fields.face-swap-v1.image"/);
    expect(open({ fiels: {} })).toThrow(/fiels/);
    expect(open({ paths: { classicStatus: 'v1' } })).toThrow(/paths.classicStatus/);
  });

  it('docs/generation-assumptions.md lists the defaults', () => {
    const page = readFileSync(new URL('../../../docs/generation-assumptions.md', import.meta.url), 'utf8');
    const shown = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(JSON.parse(shown)).toEqual(completeAssumptions());
  });

  it('overrides of assumptions replace only what they name, and completing twice changes nothing', () => {
    const changed = completeAssumptions({ lists: { id: ['key'] }, credits: { group: 7 } });
    const defaults = completeAssumptions();
    expect(changed).toEqual({
      ...defaults,
      lists: { ...defaults.lists, id: ['key'] },
      credits: { face: 2, group: 7 },
    });
    expect(completeAssumptions(changed)).toEqual(changed);
  });
});
