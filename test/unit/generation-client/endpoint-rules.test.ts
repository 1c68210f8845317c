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

const violations: [rule: RegExp, request: GenerationRequest][] = [
  [/group.*catalog number/i, broken('face-swap-v6', { gender: 'group', filter: uuid, quality: undefined })],
  [/group.*catalog number/i, broken('face-swap-v5', { gender: 'group', filter: uuid })],
  [/quality.*catalog number/i, broken('face-swap-v6', { filter: uuid })],
  [/quality must be v6.1 or v6/i, broken('face-swap-v6', { quality: 'v7' })],
  [/gender must be/i, broken('face-swap-v6', { gender: undefined })],
  [/gender must be/i, broken('face-swap-v5', { gender: 'cat' })],
  [/ratio must be/i, broken('face-swap-v6', { ratio: '1:1' })],
  [/filter must be a catalog number or the UUID/i, broken('face-swap-v6', { filter: 'Pop Art' })],
  [/filter must be a catalog number or the UUID/i, broken('face-swap-v1', { filter: -1 })],
  [/filter must be a catalog number or the UUID/i, broken('face-swap-v1', { filter: 1.5 })],
  [/filter must be a catalog number or the UUID/i, broken('face-swap-v1', { filter: undefined })],
  [/number from 1 to 25 or the UUID/i, broken('multi-swap-realistic', { style: 0 })],
  [/number from 1 to 25 or the UUID/i, broken('multi-swap-realistic', { style: 26 })],
  [/number from 1 to 25 or the UUID/i, broken('multi-swap-stylized', { style: 26 })],
  [/number from 1 to 25 or the UUID/i, broken('multi-swap-stylized', { style: '7' })],
  [/outpaint/i, broken('multi-swap-realistic', { outpaint: undefined })],
  [/not a UUID/i, broken('multi-swap-classic', { style: uuid })],
  [/prompt is needed/i, broken('self-prompt', { prompt: '  ' })],
  [/prompt is needed/i, broken('multi-swap-stylized-prompt', { prompt: undefined })],
  [/prompt is needed/i, broken('single-frame-video', { prompt: '' })],
  [/"simple" makes only 4s/i, broken('single-frame-video', { model: 'simple', aspect: 'auto' })],
  [/only with the model "performance"/i, broken('single-frame-video', { model: 'advanced' })],
  [/only with the model "performance"/i, broken('single-frame-video', { model: 'simple', duration: '4s' })],
  [/aspect must be/i, broken('single-frame-video', { aspect: '4:3' })],
  [/duration must be/i, broken('single-frame-video', { duration: '5s' })],
  [/model must be/i, broken('single-frame-video', { model: 'turbo' })],
  [/only with the model "advanced"/i, broken('first-last-frame-video', { model: 'simple' })],
  [/only with the model "advanced"/i, broken('first-last-frame-video', { model: 'performance' })],
  [/duration must be/i, broken('first-last-frame-video', { duration: undefined })],
  [/no such endpoint/i, { endpoint: 'face-swap-v9', input: {} } as unknown as GenerationRequest],
];

const photoViolations: [rule: RegExp, request: GenerationRequest][] = [
  [/at least one photo/i, broken('multi-swap-classic', { photos: [] })],
  [/at least one photo/i, broken('multi-swap-realistic-prompt', { photos: undefined })],
  [/each photo must be/i, broken('multi-swap-classic', { photos: [photo, { url: 'ftp://a/b' }] })],
  [/first frame must be/i, broken('first-last-frame-video', { first: undefined })],
  [/last frame must be/i, broken('first-last-frame-video', { last: { url: 'https://me:secret@host/a' } })],
  [/photo must be/i, broken('face-swap-v6', { photo: { bytes: Buffer.alloc(0), type: 'image/png' } })],
  [/photo must be/i, broken('face-swap-v6', { photo: { bytes: Buffer.from('x'), type: 'image/gif' } })],
  [/photo must be/i, broken('face-swap-v6', { photo: { url: 'file:///etc/passwd' } })],
  [/photo must be/i, broken('face-swap-v6', { photo: { url: 'https://:secret@host/a' } })],
  [/photo must be/i, broken('face-swap-v6', { photo: { url: '/relative.png' } })],
];

describe('the rules of the interface', () => {
  it.each([...violations, ...photoViolations])(
    'a request that violates the rule "%s" is refused before it is sent',
    async (rule, request) => {
      const { client, service } = await openClient(json(200, { id: '1', status: 'QUEUED' }));

      // The price does not depend on the photos.
      if (photoViolations.some(([, each]) => each === request))
        expect(client.cost(request)).toBeGreaterThan(0);
      else expect(() => client.cost(request)).toThrow(rule);
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
