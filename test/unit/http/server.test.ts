import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Hono } from 'hono';
import { Counter, Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createHttp, type Http, type HttpOptions } from '../../../src/http/server.ts';
import { createLog } from '../../../src/log/log.ts';
import { holds } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';

const open: Http[] = [];
afterEach(async () => {
  for (const http of open.splice(0)) await http.close();
});

async function start(options: Partial<HttpOptions> = {}) {
  const lines: string[] = [];
  const http = await createHttp({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    health: () => ({ version: '1.2.3' }),
    ready: async () => ({ ready: true, checks: { store: { ok: true } } }),
    metrics: new Registry(),
    log: createLog({
      level: 'info',
      secrets: ['known-secret'],
      stream: { write: (line) => lines.push(line) },
    }),
    ...options,
  });
  open.push(http);
  return { http, lines, get: (path: string) => fetch(`${http.url}${path}`) };
}

describe('the web server', () => {
  it('says that the process is alive', async () => {
    const { get } = await start();
    const response = await get('/healthz');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ status: 'ok', version: '1.2.3' });
  });

  it('says whether it is ready, and why not', async () => {
    let ready = false;
    const { get } = await start({
      ready: async () => ({
        ready,
        checks: {
          store: { ok: true },
          discord: ready ? { ok: true } : { ok: false, reason: 'not connected' },
        },
      }),
    });
    const before = await get('/readyz');
    expect(before.status).toBe(503);
    expect(await before.json()).toEqual({
      status: 'not ready',
      checks: { store: { ok: true }, discord: { ok: false, reason: 'not connected' } },
    });
    ready = true;
    const after = await get('/readyz');
    expect(after.status).toBe(200);
    expect(await after.json()).toMatchObject({ status: 'ready' });
  });

  it('shows the metrics of the registry it was given', async () => {
    const registry = new Registry();
    new Counter({ name: 'darkroom_things_total', help: 'things', registers: [registry] }).inc(3);
    const { get } = await start({ metrics: registry });
    const response = await get('/metrics');
    expect(response.headers.get('content-type')).toBe(registry.contentType);
    expect(await response.text()).toContain('darkroom_things_total 3');
  });

  it('serves the mounted routes, and nothing else', async () => {
    const webhook = new Hono().post('/hook', (context) => context.text('got it'));
    const page = new Hono().get('/', (context) => context.text('page'));
    const { http, get } = await start({
      mount: [
        { path: '/telegram', app: webhook },
        { path: '/', app: page },
      ],
    });
    expect(await (await fetch(`${http.url}/telegram/hook`, { method: 'POST' })).text()).toBe('got it');
    expect(await (await get('/')).text()).toBe('page');
    expect((await get('/elsewhere')).status).toBe(404);
    expect((await fetch(`${http.url}/healthz`, { method: 'POST' })).status).toBe(404);
  });

  it('logs the reason of a failure without showing it', async () => {
    const broken = new Hono().get('/', () => {
      throw new Error('details with known-secret');
    });
    const { get, lines } = await start({ mount: [{ path: '/broken', app: broken }] });
    const response = await get('/broken');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('details');
    expect(lines.join('')).toContain('details with [secret]');
  });

  it.each([
    ['say nothing', ''],
    ['never come to an end', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-More: '],
  ])('closes connections that %s', async (_, said) => {
    const { http, get } = await start({ headersMs: 50 });
    const sockets = Array.from({ length: 20 }, () => connect(http.port, '127.0.0.1'));
    // `once` of node:events would reject when the connection is reset.
    const closed = sockets.map(
      (socket) =>
        new Promise((done) =>
          socket
            .on('error', () => undefined)
            .resume()
            .once('close', done),
        ),
    );
    for (const socket of sockets) socket.write(said);
    await Promise.all(closed);
    // On a busy machine this one may take longer to ask than is allowed here, too.
    await holds(async () => expect((await get('/healthz')).status).toBe(200));
  });

  it('accepts a new connection even when all are used by hanging ones', async () => {
    const { http, get } = await start({ mostConnections: 20 });
    const hanging = 'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';
    const sockets = Array.from({ length: 60 }, () => connect(http.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) socket.write(hanging);
    expect((await get('/healthz')).status).toBe(200);
    await Promise.all(
      sockets
        .slice(0, 40)
        .map((socket) => socket.destroyed || new Promise((done) => socket.once('close', done))),
    );
    for (const socket of sockets) socket.destroy();
  });

  it('closes connections with a running response last', async () => {
    const asked = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const slow = new Hono().get('/', async (context) => {
      asked.resolve();
      await finish.promise;
      return context.text('finished');
    });
    const { http, get } = await start({ mount: [{ path: '/slow', app: slow }], mostConnections: 5 });
    const answer = get('/slow');
    await asked.promise;
    const sockets = Array.from({ length: 30 }, () => connect(http.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined).resume();
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect((await get('/healthz')).status).toBe(200);
    finish.resolve();
    expect(await (await answer).text()).toBe('finished');
    for (const socket of sockets) socket.destroy();
  });

  it('answers one request at a time per connection, and closes pipelined ones', async () => {
    let asked = 0;
    const counted = new Hono().get('/', (context) => {
      asked += 1;
      return context.text('here');
    });
    const { http, get } = await start({ mount: [{ path: '/counted', app: counted }] });
    const question = 'GET /counted HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    const hasty = connect(http.port, '127.0.0.1').on('error', () => undefined);
    hasty.write(question.repeat(1_000));
    await once(hasty.resume(), 'close');
    expect(asked).toBe(1);
    const patient = connect(http.port, '127.0.0.1');
    for (let turn = 0; turn < 20; turn += 1) {
      patient.write(question);
      for (let heard = ''; !heard.endsWith('here'); ) heard += String(await once(patient, 'data'));
    }
    patient.destroy();
    expect(asked).toBe(21);
    expect((await get('/counted')).status).toBe(200);
  });

  it('says in one line when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(start({ port })).rejects.toThrow(
      `Cannot listen on 127.0.0.1 port ${port}: the port is already in use`,
    );
    other.close();
  });
});

describe('closing', () => {
  it('lets a running request finish', async () => {
    let finish: (() => void) | undefined;
    const arrived = Promise.withResolvers<void>();
    const slow = new Hono().get('/', async (context) => {
      arrived.resolve();
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return context.text('finished');
    });
    const { http, get } = await start({ mount: [{ path: '/slow', app: slow }], clock: createFakeClock() });
    const response = get('/slow');
    await arrived.promise;
    const closing = http.close();
    finish?.();
    expect(await (await response).text()).toBe('finished');
    await closing;
    await expect(get('/healthz')).rejects.toThrow();
  });

  it('aborts requests that do not end after the grace time', async () => {
    const clock = createFakeClock();
    const { http } = await start({ clock, graceMs: 1_000 });
    const socket = connect(http.port, '127.0.0.1');
    await once(socket, 'connect');
    // A request that is never completed keeps its connection busy.
    socket.write('POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n');
    await once(socket, 'data');
    const gone = once(socket, 'close');
    socket.on('error', () => undefined);
    const closing = http.close();
    await clock.advance(1_000);
    await closing;
    await gone;
    expect(clock.pending).toBe(0);
  });
});
