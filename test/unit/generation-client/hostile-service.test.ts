import type { Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createGenerationClient } from '../../../src/generation-client/client.ts';
import { GenerationError } from '../../../src/generation-client/wire/errors.ts';
import { createHostileService, TINY_FLOODS } from '../../fakes/hostile-service.ts';
import { png, sampleOf, uuid } from '../../fakes/service/sample-requests.ts';

type Answer = { pieces: Buffer[]; ending: 'end' | 'cut' };

let answer: Answer;

/** Answers anything at all with the bytes of the moment. */
const reply = async (socket: Socket): Promise<void> => {
  for (const piece of answer.pieces) {
    socket.write(piece);
    await new Promise(setImmediate);
  }
  if (answer.ending === 'end') socket.end();
  else socket.destroy();
};

const service = await createHostileService();
Object.assign(service.script, { run: () => reply, poll: () => reply, other: () => reply });

const client = createGenerationClient({
  baseUrl: service.url,
  apiKey: 'key-0123456789',
  token: 'token-9876543210',
  sleep: async () => {},
  maxPictureBytes: 10_000,
});

afterAll(async () => {
  await service.close();
  await client.close();
});

/** `costs`: whether the call makes something that is paid for. */
const calls: readonly {
  readonly name: string;
  readonly call: () => Promise<unknown>;
  readonly costs: boolean;
}[] = [
  { name: 'a picture', call: () => client.run(sampleOf('face-swap-v6')), costs: true },
  { name: 'a video', call: () => client.run(sampleOf('single-frame-video')), costs: true },
  {
    name: 'the state of a picture',
    call: () => client.status({ endpoint: 'face-swap-v6', id: '1' }),
    costs: false,
  },
  {
    name: 'the state of a video',
    call: () => client.status({ endpoint: 'single-frame-video', id: '1' }),
    costs: false,
  },
  { name: 'a catalog', call: () => client.catalog('face-v6'), costs: false },
  { name: 'custom filters', call: () => client.customFilters(), costs: false },
  { name: 'aliases', call: () => client.aliases.list(), costs: false },
  { name: 'a new alias', call: () => client.aliases.create({ filter: uuid }), costs: false },
  { name: 'the end of an alias', call: () => client.aliases.delete(uuid), costs: false },
];

const known = fc.constantFrom<unknown>(
  { id: 'job', status: 'IN_QUEUE' },
  { id: 'job', status: 'COMPLETED', output: { images: [png.toString('base64')] } },
  { status: 'COMPLETED', output: { images: ['AAAA', png.toString('base64')] } },
  { id: 'job', status: 'FAILED', output: { video_error: 5, video_status: [] } },
  { id: uuid, ai_filter: uuid, history: [{}] },
  [{ id: '1', name: {} }],
  [{ id: uuid, filter_type: null, previews: [{}, [], 'http://['] }],
  { error_code: 'X', detail: [{ msg: { a: 1 } }] },
  { detail: { detail: { detail: { detail: { detail: { detail: 'deep' } } } } } },
);

const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));

const body = fc.oneof(
  noise,
  fc.json().map((text) => Buffer.from(text)),
  known.map((value) => Buffer.from(JSON.stringify(value))),
  // A known answer with some bytes overwritten.
  fc.tuple(known, fc.nat(), noise).map(([value, at, bytes]) => {
    const text = Buffer.from(JSON.stringify(value));
    bytes.copy(text, at % text.length, 0, 3);
    return text;
  }),
);

const header = fc.constantFrom(
  'Retry-After: 99999999999999999999',
  'Retry-After: Sun, 99 Foo 2026',
  'Content-Encoding: gzip',
  'Content-Type: text/html',
  'Location: http://127.0.0.1:1/',
  'X: \u00ff',
  'Set-Cookie: a',
);

const framing = (length: number) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(`Content-Length: ${length}`) },
    fc.nat({ max: 1000 }).map((other) => `Content-Length: ${other}`),
    fc.constantFrom('Content-Length: 9999999999', 'Content-Length: -1', 'Transfer-Encoding: chunked', 'X: y'),
  );

const http = fc
  .record({
    status: fc.integer({ min: 100, max: 999 }),
    success: fc.boolean(),
    headers: fc.array(header),
    body,
  })
  .chain((parts) => framing(parts.body.length).map((frame) => ({ ...parts, frame })))
  .map(({ status, success, headers, body: content, frame }) => {
    const head = [`HTTP/1.1 ${success ? 200 : status} Whatever`, frame, ...headers].join('\r\n');
    return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), content]);
  });

const answers = fc
  .tuple(
    fc.oneof({ weight: 1, arbitrary: noise }, { weight: 8, arbitrary: http }),
    fc.array(fc.nat(), { maxLength: 5 }),
    fc.constantFrom('end' as const, 'cut' as const),
  )
  .map(([bytes, cuts, ending]): Answer => {
    const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
    const pieces = places.slice(1).map((to, index) => bytes.subarray(places[index], to));
    return { pieces: pieces.filter(({ length }) => length > 0), ending };
  });

it.each(calls)(
  'a call for $name ends for any bytes, and fails only with GenerationError',
  async ({ call, costs }) => {
    await fc.assert(
      fc.asyncProperty(answers, async (next) => {
        answer = next;
        const error = await call().then(
          () => undefined,
          (failure: unknown) => failure,
        );
        if (error === undefined) return;
        expect(error).toBeInstanceOf(GenerationError);
        if (!(error instanceof GenerationError)) return;
        expect(error.message.length).toBeLessThan(500);
        expect(error.detail?.length ?? 0).toBeLessThanOrEqual(300);
        // Something was certainly sent: only a clear refusal may count as not charged.
        if (costs && !error.mayHaveArrived) expect(error.status).toBeGreaterThanOrEqual(300);
      }),
      { numRuns: 120 },
    );
  },
);

it.each(TINY_FLOODS)(
  '$what of the service without an end are not listened to for long',
  async ({ answer: flood }) => {
    Object.assign(service.script, { run: () => flood, poll: () => flood, other: () => flood });
    const told = 'ERR_SMALL_PIECES';
    const run = sampleOf('face-swap-v6');

    await expect(client.run(run)).rejects.toMatchObject({
      kind: 'unknown-outcome',
      message: expect.stringContaining(told),
    });
    await expect(client.status({ endpoint: 'face-swap-v6', id: '1' })).rejects.toThrow(told);
    await expect(client.catalog('face-v6')).rejects.toThrow(told);

    Object.assign(service.script, { run: () => reply, poll: () => reply, other: () => reply });
  },
);
