import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createUploads } from '../../../../src/sign-in/uploads.ts';
import type { Visitor } from '../../../../src/sign-in/visitor.ts';
import { holds } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { openBrowser } from '../../../fakes/web/browser.ts';
import { openWeb } from '../../../fakes/web/open-web.ts';

const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** An upload of which only the beginning ever comes. */
const hang = async (url: string, size: number, begun = 1_000) => {
  const { hostname, port } = new URL(url);
  const cookie = (await fetch(`${url}/`)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const socket = connect(Number(port), hostname);
  sockets.push(socket.on('error', () => undefined));
  const head = [
    'POST /api/messages HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `Cookie: ${cookie}`,
    'X-Darkroom: 1',
    'Content-Type: multipart/form-data; boundary=x',
    `Content-Length: ${size}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  socket.write(Buffer.alloc(begun));
  await once(socket, 'connect');
  return { socket, answer: once(socket, 'data').then(([data]) => String(data).split('\r\n', 1)[0]) };
};

describe('uploads', () => {
  it.each([4, 60])('%i uploads that hang do not block other photos', async (count) => {
    const { url, desk } = await openWeb();

    for (let each = 0; each < count; each += 1) await hang(url, 60 * 1024 * 1024);
    const ann = await openBrowser(url);
    const photo = new Uint8Array(5 * 1024 * 1024);

    expect((await ann.say('studio', '/faceswap', [photo])).status).toBe(202);
    await holds(() => expect(desk.heard).toHaveLength(1));
  });

  it('uploads that hang are aborted after some seconds', async () => {
    const clock = createFakeClock();
    const { url } = await openWeb({ clock });
    const before = clock.pending;

    const { answer } = await hang(url, 1_000_000);
    await holds(() => expect(clock.pending).toBe(before + 1));

    await clock.advance(5_000);
    expect(await answer).toBe('HTTP/1.1 408 Request Timeout');
    expect(clock.pending).toBe(before);
  });

  it('uploads without a length are limited, too', async () => {
    const { url, desk } = await openWeb();
    const ann = await openBrowser(url);
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const init = { method: 'POST', body, duplex: 'half', headers };

    // The answer may come before all was sent: then the connection ends.
    const status = await ann.ask('/api/messages', init as RequestInit).then(
      (answer) => answer.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect(desk.heard).toEqual([]);
  });
});

describe('bytes being received', () => {
  const limits = { mostOfOne: 100, mostInAll: 200 };

  /** A body that comes when the test says so. */
  const begin = (uploads: ReturnType<typeof createUploads>, from: Visitor) => {
    let source: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        source = controller;
      },
    });
    const outcome = uploads.receive({ body, headers: new Headers() }, from, async (all) => all.byteLength);
    let ended: unknown;
    outcome.then((value) => {
      ended = value;
    });
    const settle = () => new Promise<void>((done) => setImmediate(done));
    return {
      outcome,
      ended: () => ended,
      async send(size: number) {
        source?.enqueue(new Uint8Array(size));
        await settle();
      },
      async close() {
        source?.close();
        await settle();
      },
    };
  };

  it('when uploads hold too many bytes, the visitor who holds most is aborted first', async () => {
    const uploads = createUploads(createFakeClock(), limits);
    const bad = begin(uploads, { address: 'eve', session: '1' });
    const worse = begin(uploads, { address: 'eve', session: '2' });
    const small = begin(uploads, { address: 'ann', session: '3' });

    await bad.send(90);
    await worse.send(99);
    await small.send(11);

    expect(worse.ended()).toBeUndefined();

    await small.send(1);
    expect(bad.ended()).toBe('busy');
    expect(worse.ended()).toBeUndefined();
    expect(small.ended()).toBeUndefined();

    await small.send(80);
    await small.close();
    expect(await small.outcome).toBe(92);

    await worse.close();
    expect(await worse.outcome).toBe(99);

    // All bytes were given back.
    const one = begin(uploads, { address: 'ann', session: '1' });
    const other = begin(uploads, { address: 'bob', session: '2' });
    await one.send(100);
    await other.send(100);
    await Promise.all([one.close(), other.close()]);

    expect(await one.outcome).toBe(100);
    expect(await other.outcome).toBe(100);
  });

  it('uploads of many sessions at one address do not block others there', async () => {
    const uploads = createUploads(createFakeClock(), limits);
    const small = Array.from({ length: 190 }, (_, index) =>
      begin(uploads, { address: 'eve', session: String(index) }),
    );

    for (const each of small) await each.send(1);
    const large = begin(uploads, { address: 'eve', session: 'ann' });
    for (let piece = 0; piece < 9; piece += 1) await large.send(10);
    await large.close();

    expect(await large.outcome).toBe(90);

    // One with more than a message may have is still the first to make room.
    const greedy = [1, 2].map(() => begin(uploads, { address: 'eve', session: 'greedy' }));
    for (const each of greedy) await each.send(60);
    expect(small.at(-1)?.ended()).toBeUndefined();
    expect(greedy[0]?.ended()).toBe('busy');
  });

  it('uploads have a minimum rate', async () => {
    const clock = createFakeClock();
    const uploads = createUploads(clock, { mostOfOne: 1_000_000, mostInAll: 1_000_000 });
    const slow = begin(uploads, { address: 'eve', session: '1' });

    for (let second = 0; second < 4; second += 1) {
      await slow.send(16 * 1024);
      await clock.advance(5_000);
    }
    expect(slow.ended()).toBeUndefined();

    await slow.send(1_000);
    await clock.advance(5_000);
    expect(await slow.outcome).toBe('slow');
    expect(clock.pending).toBe(0);
  });
});
