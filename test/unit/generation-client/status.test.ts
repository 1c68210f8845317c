import { describe, expect, it } from 'vitest';
import type { JobKind } from '../../../src/kinds/kinds.ts';
import { failureOf, openClient } from '../../fakes/service/open-client.ts';
import { png } from '../../fakes/service/sample-requests.ts';
import { json, text } from '../../fakes/service/scripted-service.ts';

const picture = png.toString('base64');
const done = { state: 'completed', output: { kind: 'image', bytes: png } };

/** The state that a client reads from such a status. */
const readFrom = async (answer: unknown, endpoint: JobKind = 'face-swap-v6', options = {}) =>
  (await openClient(json(200, answer), options)).client.status({ endpoint, id: '1' });

const unusable = { kind: 'unusable-result' };

describe('status words', () => {
  const openWatched = async () => {
    const warnings: unknown[] = [];
    const log = { warn: (fields: object) => void warnings.push(fields) };
    return { ...(await openClient(json(200, {}), { log })), warnings };
  };

  const families: readonly { readonly endpoint: JobKind; readonly words: Record<string, string> }[] = [
    { endpoint: 'face-swap-v6', words: { IN_QUEUE: 'waiting' } },
    { endpoint: 'face-swap-v5', words: { IN_QUEUE: 'waiting' } },
    { endpoint: 'face-swap-v1', words: { QUEUED: 'waiting', RUNNING: 'running' } },
    { endpoint: 'multi-swap-realistic', words: { IN_QUEUE: 'waiting', PROCESSING: 'running' } },
    { endpoint: 'multi-swap-stylized', words: { QUEUED: 'waiting', RUNNING: 'running' } },
    { endpoint: 'multi-swap-classic', words: { QUEUED: 'waiting', RUNNING: 'running' } },
    { endpoint: 'single-frame-video', words: { IN_QUEUE: 'waiting', IN_PROGRESS: 'running' } },
  ];

  it.each(families)('status words of $endpoint are mapped without a warning', async ({ endpoint, words }) => {
    const { client, service, warnings } = await openWatched();
    for (const [word, state] of Object.entries({ ...words, FAILED: 'failed' })) {
      service.answerWith(json(200, { id: '1', status: word, output: {} }));
      expect((await client.status({ endpoint, id: '1' })).state).toBe(state);
    }
    expect(warnings).toEqual([]);
  });

  it('status words that a family does not know count as running, or as in another family, and are logged once', async () => {
    const { client, service, warnings } = await openWatched();
    const poll = async (status: string) => {
      service.answerWith(json(200, { status }));
      return (await client.status({ endpoint: 'face-swap-v6', id: '1' })).state;
    };

    expect(await poll('WARMING_UP')).toBe('running');
    expect(await poll('warming up')).toBe('running');
    expect(await poll('QUEUED')).toBe('waiting');
    expect(await poll('queued')).toBe('waiting');
    expect(await poll('constructor')).toBe('running');
    expect(warnings).toEqual([
      { family: 'face-v6', word: 'WARMING_UP', readAs: 'running' },
      { family: 'face-v6', word: 'QUEUED', readAs: 'waiting' },
      { family: 'face-v6', word: 'CONSTRUCTOR', readAs: 'running' },
    ]);
  });

  it.each([
    { what: 'that is done', answer: { id: 'another', status: 'COMPLETED', output: { images: [picture] } } },
    { what: 'that waits', answer: { id: 2, status: 'IN_QUEUE' } },
  ])('the status of another job $what is refused', async ({ answer }) => {
    expect(await failureOf(readFrom(answer))).toMatchObject(unusable);
  });

  it.each([1, '1', ' 1 ', null, {}])('a status with the job id %j is accepted', async (id) => {
    expect(await readFrom({ id, status: 'IN_QUEUE' })).toEqual({ state: 'waiting' });
  });

  it('unknown status words are logged a limited number of times', async () => {
    const { client, service, warnings } = await openWatched();
    for (let word = 0; word < 130; word += 1) {
      service.answerWith(json(200, { status: `WORD_${word}` }));
      await client.status({ endpoint: 'face-swap-v6', id: '1' });
    }
    expect(warnings).toHaveLength(100);
  });

  it('status words can be configured', async () => {
    const assumptions = { statusWords: { cancelled: 'failed' } };
    const read = await readFrom({ status: 'Cancelled' }, 'self-prompt', { assumptions });

    expect(read).toEqual({ state: 'failed', reason: undefined });
  });
});

it('an unfinished job with a large picture in its response cannot be used', async () => {
  const large = Buffer.concat([png, Buffer.alloc(1_200_000)]).toString('base64');
  const read = readFrom({ status: 'IN_QUEUE', output: { images: [large] } });

  expect(await failureOf(read)).toMatchObject(unusable);
});

describe('a completed job', () => {
  it('a completed job gives the first picture wherever it is in the response', async () => {
    const answer = {
      meta: { output: { images: ['not this'] }, list: [[{ images: ['nor this'] }]] },
      output: { seed: 5, images: [picture, 'ignored', 7], more: null },
      status: 'COMPLETED',
    };
    expect(await readFrom(answer)).toEqual(done);
  });

  it.each([
    { what: 'nothing', output: {} },
    { what: 'no list', output: { images: picture } },
    { what: 'an empty list', output: { images: [] } },
    { what: 'an empty picture', output: { images: [''] } },
    { what: 'a number', output: { images: [5] } },
    { what: 'the start of a PNG', output: { images: [png.subarray(0, 7).toString('base64')] } },
    { what: 'a broken data URI', output: { images: [`data:image/png,${picture}`] } },
  ])('a completed job with $what in its output cannot be used', async ({ output }) => {
    expect(await failureOf(readFrom({ status: 'COMPLETED', output }))).toMatchObject(unusable);
  });

  it('a completed job with a picture that a repeated key replaced cannot be used', async () => {
    const taken = `{"status":"COMPLETED","output":{"images":["${picture}"]},"output":{}}`;
    const { client } = await openClient(text(200, taken));

    expect(await failureOf(client.status({ endpoint: 'face-swap-v6', id: '1' }))).toMatchObject(unusable);
  });

  const tooLarge = { ...unusable, message: expect.stringMatching(/larger than allowed/) };

  it.each([
    { what: 'its picture', start: `{"output":{"images":["${picture.slice(0, 24)}AAAA`, expected: tooLarge },
    { what: 'text around the picture', start: '{"x":"', expected: tooLarge },
    { what: 'pictures nobody asked for', start: `{"output":{"images":[1,"`, expected: tooLarge },
    {
      what: 'nothing at all',
      start: ' ',
      expected: { kind: 'bad-response', message: expect.stringMatching(/not the JSON/) },
    },
  ])('a completed job is limited in $what', async ({ start, expected }) => {
    const { client } = await openClient(
      (_request, response) => {
        response.writeHead(200).write(start);
        const more = () => {
          while (!response.destroyed && response.write((start === ' ' ? ' ' : 'AAAA').repeat(4_096)));
        };
        response.on('drain', more);
        more();
      },
      { maxPictureBytes: 100_000 },
    );
    const read = client.status({ endpoint: 'face-swap-v6', id: '1' });

    expect(await failureOf(read)).toMatchObject(expected);
  });

  it.each([
    { video_url: 'https://cdn.example/v.mp4?sig=1', expected: () => 'https://cdn.example/v.mp4?sig=1' },
    { video_url: ' /media/v.mp4?sig=1 ', expected: (service: string) => `${service}/media/v.mp4?sig=1` },
  ])(
    'a completed video job gives the link, also one relative to the service: $video_url',
    async ({ video_url, expected }) => {
      const output = { video_url, video_status: 'completed' };
      const { client, service } = await openClient(json(200, { status: 'COMPLETED', output }));
      for (const endpoint of ['single-frame-video', 'first-last-frame-video'] as const)
        expect(await client.status({ endpoint, id: '1' })).toEqual({
          state: 'completed',
          output: { kind: 'video', url: expected(service.url) },
        });
    },
  );

  it.each([undefined, '', 'not a link', 'media/v.mp4', '//', 'javascript:alert(1)', 'file:///etc/passwd', 5])(
    'a completed video job with %s for a link cannot be used',
    async (video_url) => {
      const read = readFrom({ status: 'COMPLETED', output: { video_url } }, 'single-frame-video');

      expect(await failureOf(read)).toMatchObject(unusable);
    },
  );
});

it.each([
  { rest: { output: { video_status: 'failed', video_error: 'too dark' } }, reason: 'too dark' },
  // Although the job is said to be complete.
  { rest: { status: 'COMPLETED', output: { video_status: 'failed', video_error: 'x' } }, reason: 'x' },
  { rest: { output: {}, error: 'no face found' }, reason: 'no face found' },
  { rest: { output: { message: 'blocked' } }, reason: 'blocked' },
  { rest: { output: null }, reason: undefined },
  { rest: { output: [1], detail: { a: 1 } }, reason: undefined },
  { rest: {}, reason: undefined },
])('a failed job is read from $rest', async ({ rest, reason }) => {
  const read = await readFrom({ status: 'FAILED', ...rest }, 'single-frame-video');

  expect(read).toEqual({ state: 'failed', reason });
});

it.each([
  { answer: {} },
  { answer: { status: '' } },
  { answer: { status: 7 } },
  { answer: [] },
  { answer: null },
  { answer: 'COMPLETED' },
])('a response without a status is invalid: $answer', async ({ answer }) => {
  expect(await failureOf(readFrom(answer))).toMatchObject({ kind: 'bad-response' });
});
