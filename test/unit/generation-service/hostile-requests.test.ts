import { request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runEndpoints } from '../../../src/generation-service/runs/endpoints.ts';
import * as embedded from '../../../src/generation-service/service.ts';
import { createGenerationService, type GenerationService } from '../../fakes/service/service.ts';

let service: GenerationService;
/** What the service reported as mistakes of its own during one test. */
let mistakes: unknown[] = [];

beforeAll(async () => {
  service = await createGenerationService({ onError: (error) => mistakes.push(error) });
});

beforeEach(() => {
  mistakes = [];
});

afterAll(() => service.close());

const call = (method: string, path: string, body?: string) => {
  const headers = { 'x-api-key': service.apiKey, authorization: `Bearer ${service.token}` };
  return fetch(service.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
};

const fields = [
  'base64',
  'image',
  'input_image',
  'input_images',
  'prompt_image',
  'first_frame',
  'last_frame',
  'prompt',
  'filter_id',
  'style_id',
  'gender',
  'ratio',
  'quality_mode',
  'outpaint',
  'model',
  'duration',
  'aspect_ratio',
];

const words = [
  '4s',
  'advanced',
  'portrait',
  'auto',
  'data:image/jpeg;base64,',
  'http://127.0.0.1/',
  '__proto__',
];

const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(...words, 1, 4, true));

const body = fc.oneof(
  fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 17 }).map((object) => JSON.stringify(object)),
  fc.json({ maxDepth: 2 }),
  fc.string(),
);

describe('hostile requests', () => {
  it.each(runEndpoints)('$path refuses any hostile input without an internal error', async ({ path }) => {
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const answer = await call('POST', path, text);
        expect([400, 422]).toContain(answer.status);
        expect(await answer.json()).toMatchObject({
          error_code: expect.any(String),
          detail: expect.any(String),
        });
      }),
      { numRuns: 40 },
    );
    expect(mistakes).toEqual([]);
    expect(service.accepted()).toBe(0);
  });

  it.each(['%00', '%E0%A4%A', '..%2F..%2Fetc', 'x'.repeat(5000), '%25', "';DROP TABLE jobs;--"])(
    'the service answers 404 to the identifier %s',
    async (id) => {
      const routes = [
        { method: 'POST', path: '/v6/status/' },
        { method: 'POST', path: '/v1/status/single_frame_video/' },
        { method: 'GET', path: '/api/alias/' },
        { method: 'DELETE', path: '/api/alias/' },
        { method: 'GET', path: '/files/' },
        { method: 'GET', path: '/previews/face/' },
      ] as const;

      for (const { method, path } of routes) expect((await call(method, path + id)).status).toBe(404);
      expect(mistakes).toEqual([]);
    },
  );

  it('the service refuses a body that is too large before reading it', async () => {
    const status = await new Promise((done, fail) => {
      const headers = { 'x-api-key': service.apiKey, 'content-length': String(200 * 1024 * 1024) };
      const sent = request(`${service.url}/v6/run/face_swap`, { method: 'POST', headers }, (answer) => {
        done(answer.statusCode);
        sent.destroy();
      });
      sent.on('error', fail);
      sent.write('{');
    });
    expect(status).toBe(413);
  });

  it('the service reports no mistake of its own when an upload is cut off', async () => {
    const answered = Promise.withResolvers<void>();

    const { url, apiKey, close } = await embedded.createGenerationService({
      middleware: (_, next) => next().finally(answered.resolve),
      onError: (error) => mistakes.push(error),
    });
    onTestFinished(close);
    const headers = { 'x-api-key': apiKey, 'content-length': '1000' };

    const sent = request(`${url}/v6/run/face_swap`, { method: 'POST', headers }).on('error', () => undefined);
    sent.write('{', () => sent.destroy());
    await answered.promise;

    expect(mistakes).toEqual([]);
  });
});
