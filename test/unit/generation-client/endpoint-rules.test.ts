import { describe, expect, it } from 'vitest';
import type { GenerationRequest } from '../../../src/generation-client/endpoint.ts';
import { failureOf, openClient } from '../../fakes/service/open-client.ts';
import { sampleOf, uuid } from '../../fakes/service/sample-requests.ts';
import { json } from '../../fakes/service/scripted-service.ts';

/** Input as an untyped caller could give it: the sample with some fields replaced. */
function broken(endpoint: GenerationRequest['endpoint'], change: Record<string, unknown>): GenerationRequest {
  return { endpoint, input: { ...sampleOf(endpoint).input, ...change } };
}

const photo = { bytes: Buffer.from('x'), type: 'image/jpeg' };

interface Violation {
  readonly rule: RegExp;
  readonly request: GenerationRequest;
}

const violations: readonly Violation[] = [
  {
    rule: /group.*catalog number/i,
    request: broken('face-swap-v6', { gender: 'group', filter: uuid, quality: undefined }),
  },
  { rule: /group.*catalog number/i, request: broken('face-swap-v5', { gender: 'group', filter: uuid }) },
  { rule: /quality.*catalog number/i, request: broken('face-swap-v6', { filter: uuid }) },
  { rule: /quality must be v6.1 or v6/i, request: broken('face-swap-v6', { quality: 'v7' }) },
  { rule: /gender must be/i, request: broken('face-swap-v6', { gender: undefined }) },
  { rule: /gender must be/i, request: broken('face-swap-v5', { gender: 'cat' }) },
  { rule: /ratio must be/i, request: broken('face-swap-v6', { ratio: '1:1' }) },
  {
    rule: /filter must be a catalog number or the UUID/i,
    request: broken('face-swap-v6', { filter: 'Pop Art' }),
  },
  { rule: /filter must be a catalog number or the UUID/i, request: broken('face-swap-v1', { filter: -1 }) },
  { rule: /filter must be a catalog number or the UUID/i, request: broken('face-swap-v1', { filter: 1.5 }) },
  {
    rule: /filter must be a catalog number or the UUID/i,
    request: broken('face-swap-v1', { filter: undefined }),
  },
  { rule: /number from 1 to 25 or the UUID/i, request: broken('multi-swap-realistic', { style: 0 }) },
  { rule: /number from 1 to 25 or the UUID/i, request: broken('multi-swap-realistic', { style: 26 }) },
  { rule: /number from 1 to 25 or the UUID/i, request: broken('multi-swap-stylized', { style: 26 }) },
  { rule: /number from 1 to 25 or the UUID/i, request: broken('multi-swap-stylized', { style: '7' }) },
  { rule: /outpaint/i, request: broken('multi-swap-realistic', { outpaint: undefined }) },
  { rule: /not a UUID/i, request: broken('multi-swap-classic', { style: uuid }) },
  { rule: /prompt is needed/i, request: broken('self-prompt', { prompt: '  ' }) },
  { rule: /prompt is needed/i, request: broken('multi-swap-stylized-prompt', { prompt: undefined }) },
  { rule: /prompt is needed/i, request: broken('single-frame-video', { prompt: '' }) },
  {
    rule: /"simple" makes only 4s/i,
    request: broken('single-frame-video', { model: 'simple', aspect: 'auto' }),
  },
  {
    rule: /only with the model "performance"/i,
    request: broken('single-frame-video', { model: 'advanced' }),
  },
  {
    rule: /only with the model "performance"/i,
    request: broken('single-frame-video', { model: 'simple', duration: '4s' }),
  },
  { rule: /aspect must be/i, request: broken('single-frame-video', { aspect: '4:3' }) },
  { rule: /duration must be/i, request: broken('single-frame-video', { duration: '5s' }) },
  { rule: /model must be/i, request: broken('single-frame-video', { model: 'turbo' }) },
  { rule: /only with the model "advanced"/i, request: broken('first-last-frame-video', { model: 'simple' }) },
  {
    rule: /only with the model "advanced"/i,
    request: broken('first-last-frame-video', { model: 'performance' }),
  },
  { rule: /duration must be/i, request: broken('first-last-frame-video', { duration: undefined }) },
  {
    rule: /no such endpoint/i,
    request: { endpoint: 'face-swap-v9', input: {} } as unknown as GenerationRequest,
  },
];

const photoViolations: readonly Violation[] = [
  { rule: /at least one photo/i, request: broken('multi-swap-classic', { photos: [] }) },
  { rule: /at least one photo/i, request: broken('multi-swap-realistic-prompt', { photos: undefined }) },
  {
    rule: /each photo must be/i,
    request: broken('multi-swap-classic', { photos: [photo, { url: 'ftp://a/b' }] }),
  },
  { rule: /first frame must be/i, request: broken('first-last-frame-video', { first: undefined }) },
  {
    rule: /last frame must be/i,
    request: broken('first-last-frame-video', { last: { url: 'https://me:secret@host/a' } }),
  },
  {
    rule: /photo must be/i,
    request: broken('face-swap-v6', { photo: { bytes: Buffer.alloc(0), type: 'image/png' } }),
  },
  {
    rule: /photo must be/i,
    request: broken('face-swap-v6', { photo: { bytes: Buffer.from('x'), type: 'image/gif' } }),
  },
  { rule: /photo must be/i, request: broken('face-swap-v6', { photo: { url: 'file:///etc/passwd' } }) },
  { rule: /photo must be/i, request: broken('face-swap-v6', { photo: { url: 'https://:secret@host/a' } }) },
  { rule: /photo must be/i, request: broken('face-swap-v6', { photo: { url: '/relative.png' } }) },
];

describe('the rules of the interface', () => {
  it.each(violations)('a request that violates the rule "$rule" has no price', async ({ rule, request }) => {
    const { client } = await openClient(json(200, {}));

    expect(() => client.cost(request)).toThrow(rule);
  });

  it.each(photoViolations)(
    'a request that violates the rule "$rule" has a price, which does not depend on the photos',
    async ({ request }) => {
      const { client } = await openClient(json(200, {}));

      expect(client.cost(request)).toBeGreaterThan(0);
    },
  );

  it.each([...violations, ...photoViolations])(
    'a request that violates the rule "$rule" is refused before it is sent',
    async ({ rule, request }) => {
      const { client, service } = await openClient(json(200, { id: '1', status: 'QUEUED' }));

      const error = await failureOf(client.run(request));

      expect(error).toMatchObject({ kind: 'rule', mayHaveArrived: false });
      expect(error.detail).toMatch(rule);
      expect(service.seen).toHaveLength(0);
    },
  );

  const allowed: GenerationRequest[] = [
    broken('face-swap-v6', { gender: 'group', filter: 3 }),
    broken('face-swap-v6', { filter: uuid, quality: undefined }),
    broken('face-swap-v6', { filter: uuid.toUpperCase(), quality: undefined, ratio: undefined }),
    broken('multi-swap-realistic', { style: 1 }),
    broken('multi-swap-realistic', { style: uuid, outpaint: false }),
    broken('multi-swap-classic', { style: 26 }),
    broken('single-frame-video', { model: 'simple', duration: '4s', aspect: 'auto' }),
    broken('single-frame-video', { model: 'advanced', duration: '8s', aspect: undefined }),
  ];

  it.each(allowed)('the rules allow values next to the forbidden ones: $endpoint', async (request) => {
    const { client } = await openClient(json(200, {}));

    expect(client.cost(request)).toBeGreaterThan(0);
  });
});
