import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { apiKey, failureOf, openClient, token } from '../../../fakes/service/open-client.ts';
import { sampleOf } from '../../../fakes/service/sample-requests.ts';
import { json, text } from '../../../fakes/service/scripted-service.ts';

const run = sampleOf('face-swap-v6');
const job = { endpoint: 'face-swap-v6', id: 'job-1' } as const;

it.each([
  { status: 400, kind: 'refused', mayHaveArrived: false },
  { status: 401, kind: 'unauthorized', mayHaveArrived: false },
  { status: 402, kind: 'credits', mayHaveArrived: false },
  { status: 403, kind: 'unauthorized', mayHaveArrived: false },
  { status: 404, kind: 'not-found', mayHaveArrived: false },
  { status: 408, kind: 'unavailable', mayHaveArrived: true },
  { status: 410, kind: 'not-found', mayHaveArrived: false },
  { status: 413, kind: 'refused', mayHaveArrived: false },
  { status: 422, kind: 'refused', mayHaveArrived: false },
  { status: 429, kind: 'rate-limited', mayHaveArrived: false },
  { status: 500, kind: 'unavailable', mayHaveArrived: true },
  { status: 502, kind: 'unavailable', mayHaveArrived: true },
  { status: 503, kind: 'unavailable', mayHaveArrived: true },
  { status: 504, kind: 'unavailable', mayHaveArrived: true },
  { status: 301, kind: 'redirected', mayHaveArrived: false },
  { status: 303, kind: 'redirected', mayHaveArrived: true },
] as const)(
  'status $status means $kind, and may have arrived: $mayHaveArrived',
  async ({ status, kind, mayHaveArrived }) => {
    const { client } = await openClient(json(status, {}));
    const error = await failureOf(client.run(run));

    expect(error).toMatchObject({ kind, status, mayHaveArrived, endpoint: 'face-swap-v6' });
  },
);

describe('an error body of any shape is accepted', () => {
  it.each([
    {
      what: 'error_code and detail',
      body: '{"error_code":"A_CODE","detail":"not here"}',
      code: 'A_CODE',
      detail: 'not here',
    },
    {
      what: 'code and message',
      body: '{"code":"A_CODE","message":"empty"}',
      code: 'A_CODE',
      detail: 'empty',
    },
    {
      what: 'detail as an object',
      body: '{"detail":{"error_code":"A_CODE","message":"gone"}}',
      code: 'A_CODE',
      detail: 'gone',
    },
    {
      what: 'a list of findings',
      body: '{"detail":[{"loc":["body"],"msg":"bad","input":{"a":"A"}}]}',
      code: undefined,
      detail: 'bad',
    },
    {
      what: 'detail as a list of words',
      body: '{"detail":["one","two"]}',
      code: undefined,
      detail: 'one; two',
    },
    {
      what: 'findings by field',
      body: '{"prompt":["Is required."]}',
      code: undefined,
      detail: 'prompt: Is required.',
    },
    {
      what: 'error as an object',
      body: '{"error":{"code":"A_CODE","message":"no"}}',
      code: 'A_CODE',
      detail: 'no',
    },
    { what: 'error as a code', body: '{"error":"A_CODE"}', code: 'A_CODE', detail: 'A_CODE' },
    { what: 'a JSON string', body: '"simply no"', code: undefined, detail: 'simply no' },
    { what: 'a JSON number', body: '42', code: undefined, detail: undefined },
    { what: 'null', body: 'null', code: undefined, detail: undefined },
    { what: 'an unrelated object', body: '{"a":1}', code: undefined, detail: undefined },
    { what: 'plain text', body: 'Out of order', code: undefined, detail: 'Out of order' },
    {
      what: 'HTML',
      body: '<html><style>b{}</style><body><h1>Bad\n Request</h1></body></html>',
      code: undefined,
      detail: 'Bad Request',
    },
    { what: 'nothing', body: '', code: undefined, detail: undefined },
    { what: 'broken JSON', body: '{"error_code":', code: undefined, detail: '{"error_code":' },
    { what: 'a numeric code', body: '{"code":17,"detail":"x"}', code: undefined, detail: 'x' },
  ])('an error body is accepted in any shape: $what', async ({ body, code, detail }) => {
    const { client } = await openClient(text(422, body));
    expect(await failureOf(client.run(run))).toMatchObject({ kind: 'refused', status: 422, code, detail });
  });

  it('an error does not include an echoed picture', async () => {
    const { client } = await openClient(json(422, { detail: `bad image ${'iVBORw0KGgo'.repeat(20)} sent` }));
    expect((await failureOf(client.run(run))).detail).toBe('bad image … sent');
  });

  it('an error reads only the start of a long body', async () => {
    const { client } = await openClient((_, response) => {
      response.writeHead(400);
      const more = () => {
        while (!response.destroyed && response.write('x y '.repeat(4096)));
      };
      response.on('drain', more);
      more();
    });
    const error = await failureOf(client.run(run));

    expect(error).toMatchObject({ kind: 'refused', status: 400 });
    expect(error.detail?.length).toBeLessThanOrEqual(300);
  });

  it.each([
    { code: 'FILTER_NOT_FOUND', reason: 'filter-unknown' },
    { code: 'FILTER_BLOCKED', reason: 'filter-unfit' },
    { code: 'WORKFLOW_FETCH_FAILED', reason: 'filter-broken' },
    { code: 'INVALID_IMAGE', reason: 'photo-unreadable' },
    { code: 'INVALID_QUALITY_MODE', reason: 'options-unfit' },
    { code: 'INVALID_ASPECT_RATIO_FOR_MODEL', reason: 'options-unfit' },
    { code: 'INVALID_VIDEO_MODEL', reason: 'options-unfit' },
    { code: 'SOMETHING_NEW', reason: undefined },
  ])('the code $code of the interface means: $reason', async ({ code, reason }) => {
    const { client } = await openClient(json(422, { error_code: code }));
    expect((await failureOf(client.run(run))).reason).toBe(reason);
  });

  it('413 means that the photo is too large', async () => {
    const { client } = await openClient(json(413, {}));
    expect((await failureOf(client.run(run))).reason).toBe('photo-too-large');
  });
});

describe('secrets', () => {
  it('secrets are removed from errors: credentials, request, query strings', async () => {
    const { client, service } = await openClient((request, response) => {
      response.writeHead(422).end(
        JSON.stringify({
          error_code: apiKey,
          detail: `${JSON.stringify(request.headers)} ${token} ${request.body} https://me:pw@host/a?sig=hush ${'A'.repeat(500)}`,
        }),
      );
    });
    const shown = inspect(await failureOf(client.run(run)), { depth: 9, showHidden: true });

    expect(shown).not.toContain(apiKey);
    expect(shown).not.toContain(token);
    expect(shown).not.toMatch(/hush|pw@|A{100}/);

    service.answerWith((_, response) => response.destroy());
    const broken = inspect(await failureOf(client.run(run)), { depth: 9, showHidden: true });

    expect(broken).not.toContain(apiKey);
  });

  it('secrets are removed from the reason of a failed job, with control characters and markup', async () => {
    const { client } = await openClient(
      json(200, { status: 'FAILED', output: { error: `<b>bad</b>\u202e\u0000 ${apiKey}\nend` } }),
    );
    expect(await client.status(job)).toEqual({ state: 'failed', reason: 'bad [secret] end' });
  });
});
