import { createServer } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ImageInput } from '../../../src/generation-client/wire/inputs.ts';
import { encodeBody, WirePhoto } from '../../../src/generation-client/wire/request-body.ts';
import { holds } from '../../eventually.ts';
import { failureOf, openClient } from '../../fakes/service/open-client.ts';
import { json } from '../../fakes/service/scripted-service.ts';
import { listen } from '../../listen.ts';

const MB = 1024 * 1024;

const request = (image: ImageInput) =>
  ({ endpoint: 'face-swap-v6', input: { photo: image, gender: 'girl', filter: 12 } }) as const;

const photo = (bytes = Buffer.from('jpeg bytes')): ImageInput & { bytes: Uint8Array } => ({
  bytes,
  type: 'image/jpeg',
});

/** Reads requests, keeps nothing of them and never answers. */
const swallowing = async () => {
  const seen = { requests: 0 };
  const server = createServer((incoming) => {
    incoming.resume().on('end', () => {
      seen.requests += 1;
    });
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(seen, { url: await listen(server) });
};

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** The bytes that buffers of this process hold after a collection of garbage. */
const held = (): number => {
  collect();
  return process.memoryUsage().arrayBuffers;
};

describe('a run call after its body was sent', () => {
  it('a run call whose body was sent holds no photo while it waits for the response', async () => {
    const service = await swallowing();
    const { client } = await openClient(() => undefined, { baseUrl: service.url });
    const before = held();
    const photos = Array.from({ length: 12 }, () => photo(Buffer.alloc(4 * MB, 7)));
    const stop = new AbortController();
    let sent = 0;

    const calls = photos.map((image) =>
      client.run(request(image), {
        signal: stop.signal,
        bodySent() {
          sent += 1;
          image.bytes = Buffer.alloc(0);
        },
      }),
    );
    const ends = calls.map(failureOf);

    await holds(() => expect(sent).toBe(12));
    await holds(() => expect(service.requests).toBe(12));
    await holds(() => expect(held() - before).toBeLessThan(20 * MB));

    stop.abort();
    for (const end of ends) expect((await end).mayHaveArrived).toBe(true);
  });

  it('a run call whose body was sent is not repeated, because its photo was released', async () => {
    const { client, service } = await openClient(json(429, {}, { 'retry-after': '2' }));

    const error = await failureOf(client.run(request(photo()), { bodySent: () => undefined }));

    expect(error).toMatchObject({ kind: 'rate-limited', retryAfterMs: 2000, mayHaveArrived: false });
    expect(service.seen).toHaveLength(1);
  });

  it('a run call whose body was sent is repeated if it has no photo', async () => {
    const refused = json(429, {});
    const accepted = json(200, { id: 'job-1', status: 'IN_QUEUE' });
    const { client, service, slept } = await openClient((incoming, response) => {
      const answer = service.seen.length < 2 ? refused : accepted;
      answer(incoming, response);
    });
    const link = { url: 'https://photos.example/a.jpg' };

    expect(await client.run(request(link), { bodySent: () => undefined })).toMatchObject({ id: 'job-1' });
    expect(slept).toHaveLength(1);
  });
});

const whole = ({ pieces }: ReturnType<typeof encodeBody>): Buffer => Buffer.concat([...pieces()]);

/** A photo of any length that repeats a few bytes, because making up each byte would take seconds. */
const anyPhoto = fc
  .tuple(fc.integer({ min: 1, max: 200_000 }), fc.uint8Array({ minLength: 1, maxLength: 1_000, size: 'max' }))
  .map(([length, bytes]) => Buffer.alloc(length, bytes));

it('a body equals JSON.stringify with base64 for any text and photos', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(anyPhoto, { maxLength: 3 }), (prompt, photos) => {
      const body = encodeBody({
        prompt,
        first: new WirePhoto(photos[0] ?? Buffer.from('x'), 'data:image/png;base64,'),
        images: photos.map((bytes) => new WirePhoto(bytes)),
        left_out: undefined,
      });
      const sent = whole(body);
      expect(sent.length).toBe(body.length);
      expect(sent.toString('utf8')).toBe(
        JSON.stringify({
          prompt,
          first: `data:image/png;base64,${Buffer.from(photos[0] ?? Buffer.from('x')).toString('base64')}`,
          images: photos.map((bytes) => Buffer.from(bytes).toString('base64')),
        }),
      );
    }),
    { numRuns: 60 },
  );
});

it('a body has only the given part of a larger buffer', () => {
  const larger = Buffer.from('before the photo after');
  const body = encodeBody({ image: new WirePhoto(larger.subarray(7, 16)) });
  expect(JSON.parse(whole(body).toString())).toEqual({ image: Buffer.from('the photo').toString('base64') });
});
