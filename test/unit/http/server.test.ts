import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Hono } from 'hono';
import { Counter, Registry } from 'prom-client';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { limitConnections } from '../../../src/http/connections.ts';
import { createReadiness, type ReadinessCheck } from '../../../src/http/readiness.ts';
import { createHttp, type Http, type HttpOptions, refuseTinyChunks } from '../../../src/http/server.ts';
import { createLog } from '../../../src/log/log.ts';
import { holds } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { listen } from '../../listen.ts';

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
  const connections = async (count: number): Promise<Socket[]> => {
    const sockets = Array.from({ length: count }, () => quiet(connect(http.port, '127.0.0.1')));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return sockets;
  };
  return { http, lines, connections, get: (path: string) => fetch(`${http.url}${path}`) };
}

const quiet = (socket: Socket): Socket => socket.on('error', () => undefined).resume();

/** `once` of node:events would reject when the connection is reset. */
const closing = (socket: Socket): Promise<unknown> | true =>
  socket.destroyed || new Promise((done) => quiet(socket).once('close', done));

const UNFINISHED = 'POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';

/** An answer at /slow that is under way until it is let finish. */
const slowly = () => {
  const asked = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const app = new Hono().get('/', async (context) => {
    asked.resolve();
    await finish.promise;
    return context.text('finished');
  });
  return { asked, finish, mount: [{ path: '/slow', app }] };
};

describe('the web server', () => {
  it('the web server says that the process is alive', async () => {
    const { get } = await start();

    const response = await get('/healthz');

    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ status: 'ok', version: '1.2.3' });
  });

  it.each([
    { ready: true, code: 200, status: 'ready', discord: { ok: true } },
    { ready: false, code: 503, status: 'not ready', discord: { ok: false, reason: 'not connected' } },
  ])('the web server says that it is $status, with each check', async ({ ready, code, status, discord }) => {
    const checks = { store: { ok: true }, discord };
    const { get } = await start({ ready: async () => ({ ready, checks }) });

    const response = await get('/readyz');

    expect(response.status).toBe(code);
    expect(await response.json()).toEqual({ status, checks });
  });

  it('the web server shows the metrics of the registry it was given', async () => {
    const registry = new Registry();
    new Counter({ name: 'darkroom_things_total', help: 'things', registers: [registry] }).inc(3);
    const { get } = await start({ metrics: registry });

    const response = await get('/metrics');

    expect(response.headers.get('content-type')).toBe(registry.contentType);
    expect(await response.text()).toContain('darkroom_things_total 3');
  });

  it('the web server serves the mounted routes, and nothing else', async () => {
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

  it('the web server logs the reason of a failure without showing it', async () => {
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
    { what: 'say nothing', said: '' },
    { what: 'never come to an end', said: 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-More: ' },
  ])('the web server closes connections that $what', async ({ said }) => {
    const { connections, get } = await start({ headersMs: 50 });
    const sockets = await connections(20);
    const closed = sockets.map(closing);

    for (const socket of sockets) socket.write(said);
    await Promise.all(closed);

    // On a busy machine this one may take longer to ask than is allowed here, too.
    await holds(async () => expect((await get('/healthz')).status).toBe(200));
  });

  it('the web server accepts a new connection even when all are used by hanging ones', async () => {
    const { connections, get } = await start({ mostConnections: 20 });
    const sockets = await connections(60);
    for (const socket of sockets) socket.write(UNFINISHED);

    expect((await get('/healthz')).status).toBe(200);

    await Promise.all(sockets.slice(0, 40).map(closing));
    for (const socket of sockets) socket.destroy();
  });

  it('the web server closes connections with a running response last', async () => {
    const { asked, finish, mount } = slowly();
    const { connections, get } = await start({ mount, mostConnections: 5 });
    const answer = get('/slow');

    await asked.promise;
    const sockets = await connections(30);

    expect((await get('/healthz')).status).toBe(200);

    finish.resolve();

    expect(await (await answer).text()).toBe('finished');

    for (const socket of sockets) socket.destroy();
  });

  it('the web server answers one request at a time per connection, and closes pipelined ones', async () => {
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

  it('the web server says in one line when the port is taken', async () => {
    const other = createServer();
    const port = Number(new URL(await listen(other)).port);

    await expect(start({ port })).rejects.toThrow(
      `Cannot listen on 127.0.0.1 port ${port}: the port is already in use`,
    );

    other.close();
  });
});

describe('closing', () => {
  it('the web server lets a running request finish when it closes', async () => {
    const { asked, finish, mount } = slowly();
    const { http, get } = await start({ mount, clock: createFakeClock() });
    const response = get('/slow');

    await asked.promise;
    const closed = http.close();
    finish.resolve();

    expect(await (await response).text()).toBe('finished');

    await closed;
    await expect(get('/healthz')).rejects.toThrow();
  });

  it('the web server aborts requests that do not end after the grace time when it closes', async () => {
    const clock = createFakeClock();
    const { http } = await start({ clock, graceMs: 1_000 });
    const socket = connect(http.port, '127.0.0.1');

    await once(socket, 'connect');
    // A request that is never completed keeps its connection busy.
    socket.write(UNFINISHED);
    await once(socket, 'data');
    const gone = closing(socket);
    const closed = http.close();
    await clock.advance(1_000);
    await Promise.all([closed, gone]);

    expect(clock.pending).toBe(0);
  });
});

/** A server that listens on all addresses, as in a container; asks it for the status of an answer. */
const startOpen = async (hasSecret: boolean) => {
  const says = (text: string) => new Hono().all('*', (context) => context.text(text));
  const mount = [
    { path: '/hook', app: says('got it'), hasSecret: true },
    { path: '/owner', app: says('figures'), hasSecret },
    { path: '/', app: says('page'), hasSecret },
  ];
  const { http } = await start({ host: '0.0.0.0', mount });
  return (path: string, host: string, method = 'GET', headers = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${http.url}${path}`, { method, headers: { host, ...headers } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
};

const thisMachine = [
  '127.0.0.1',
  '127.0.0.1:8080',
  '127.9.9.9',
  'localhost:8080',
  'LOCALHOST',
  '[::1]:8080',
  '[::ffff:7f00:1]:8080',
];

const otherAddresses = [
  '192.168.1.20:8080',
  '203.0.113.9',
  '0.0.0.0:8080',
  '127.1',
  '[fd00::1]',
  '[2001:db8::1]:8080',
  '[::]',
  '[::ffff:c0a8:114]',
];

const foreign = [
  'evil.example',
  'evil.example:8080',
  '127.0.0.1.evil.example',
  'localhost.evil.example:8080',
  'localhost.',
];

const malformed = ['127.0.0.1:8080:80', '[evil.example]', '127.0.0.1@evil.example'];

const addresses = [...thisMachine, ...otherAddresses.filter((host) => host !== '127.1')];
const named = [...addresses, 'darkroom:8080', 'darkroom_bot-1'];
const elsewhere = [...foreign, ...otherAddresses, 'darkroom:8080'];

/** Headers that proxies add to a request that they pass on. */
const added = [
  'Forwarded',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'x-forwarded-host',
  'X-FORWARDED-SERVER',
  'X-Forwarded',
  'X-Real-IP',
  'Via',
];

describe('a server that listens on all addresses', () => {
  /** A request, and the names of the host by which it is accepted and refused. */
  interface Served {
    readonly what: string;
    readonly method: 'GET' | 'POST';
    readonly path: string;
    /** Whether the page has a password; where it makes no difference, both are tried. */
    readonly passwords: readonly boolean[];
    readonly accepted: readonly string[];
    readonly refused: readonly string[];
  }
  const withoutPassword = { passwords: [false], accepted: thisMachine, refused: elsewhere };
  const withPassword = { passwords: [true], accepted: ['darkroom.example'], refused: [] };
  const withOrWithout = { passwords: [true, false], accepted: named, refused: foreign };
  const secretOfItsOwn = { passwords: [false], accepted: ['bot.example'], refused: [] };

  it.each<Served>([
    {
      what: 'a page without a password to this machine alone',
      method: 'GET',
      path: '/',
      ...withoutPassword,
    },
    {
      what: 'the console without a password to this machine alone',
      method: 'GET',
      path: '/owner',
      ...withoutPassword,
    },
    {
      what: 'a change without a password to this machine alone',
      method: 'POST',
      path: '/api/messages',
      ...withoutPassword,
    },
    { what: 'a page with a password by any name', method: 'GET', path: '/', ...withPassword },
    { what: 'the console with a password by any name', method: 'GET', path: '/owner', ...withPassword },
    { what: 'metrics also by a container’s name', method: 'GET', path: '/metrics', ...withOrWithout },
    { what: 'readiness also by a container’s name', method: 'GET', path: '/readyz', ...withOrWithout },
    { what: 'a webhook, which has a secret, by any name', method: 'POST', path: '/hook', ...secretOfItsOwn },
  ])(
    'a server that listens on all addresses serves $what',
    async ({ method, path, passwords, accepted, refused }) => {
      for (const hasSecret of passwords) {
        const statusFor = await startOpen(hasSecret);

        for (const host of accepted) expect(await statusFor(path, host, method), host).toBe(200);
        for (const host of refused) expect(await statusFor(path, host, method), host).toBe(421);
        for (const host of hasSecret || path === '/hook' ? [] : malformed)
          expect([400, 421], host).toContain(await statusFor(path, host, method));
      }
    },
  );
});

describe('what a proxy on this machine passes on with `Host: 127.0.0.1`', () => {
  it.each(added)(
    'a request with %s passed on by a local proxy is refused without a password, and served with one',
    async (name) => {
      for (const { hasSecret, expected } of [
        { hasSecret: false, expected: 421 },
        { hasSecret: true, expected: 200 },
      ]) {
        const statusFor = await startOpen(hasSecret);

        for (const path of ['/', '/owner', '/api/messages'])
          for (const method of ['GET', 'POST'])
            expect(await statusFor(path, '127.0.0.1', method, { [name]: '203.0.113.9' })).toBe(expected);
        expect(await statusFor('/hook', '127.0.0.1', 'POST', { [name]: '203.0.113.9' })).toBe(200);
        expect(await statusFor('/metrics', '127.0.0.1', 'GET', { [name]: '203.0.113.9' })).toBe(200);
      }
    },
  );

  it('a request over HTTP/1.0, which no browser speaks, is refused without a password', async () => {
    const app = new Hono().all('*', (context) => context.text('page'));
    for (const { hasSecret, expected } of [
      { hasSecret: false, expected: 'HTTP/1.1 421 ' },
      { hasSecret: true, expected: 'HTTP/1.1 200 ' },
    ]) {
      const { http } = await start({ mount: [{ path: '/', app, hasSecret }] });

      const socket = connect(http.port, '127.0.0.1');
      socket.end('GET / HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n');
      const answer = await text(socket);

      expect(answer.slice(0, expected.length)).toBe(expected);
    }
  });

  it('a request that a local proxy passes on gets an answer that says what to set', async () => {
    const app = new Hono().all('*', (context) => context.text('page'));
    const { http } = await start({ mount: [{ path: '/', app }] });

    const refused = await fetch(http.url, { headers: { 'x-forwarded-for': '203.0.113.9' } });

    expect(await refused.text()).toBe(
      'This request was passed on by a proxy. Without a password this page answers this machine alone. Open it there at http://localhost, or set PLAYGROUND_PASSWORD.',
    );
  });
});

it('the many addresses of one IPv6 network count as one', () => {
  const server = createHttpServer();
  limitConnections(server, 10);
  const connect = (remoteAddress: string): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    return socket;
  };

  const ann = connect('2001:db8:a::1');
  const crowd = Array.from({ length: 30 }, (_, count) => connect(`2001:db8:b::${count}`));

  expect(ann.destroyed).toBe(false);
  expect(crowd.filter(({ destroyed }) => !destroyed)).toHaveLength(9);

  for (const socket of [ann, ...crowd]) socket.destroy();
});

/** A server that answers with the number of bytes that came; resolves to all that it says to a body of such chunks. */
const sendChunks = async (...sizes: readonly number[]): Promise<string> => {
  const server = createHttpServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body !== undefined) response.end(`got ${body.length}`);
  });
  refuseTinyChunks(server);
  const { port } = new URL(await listen(server));
  onTestFinished(() => void server.close());
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const said: string[] = [];
  socket.on('data', (data) => said.push(String(data)));
  const body = sizes.map((size) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`).join('');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(`${body}0\r\n\r\n`);
  await new Promise((closed) => socket.once('close', closed));
  return said.join('');
};

describe('a body in chunks', () => {
  it('a body in chunks of one byte each is aborted', async () => {
    expect(await sendChunks(...Array<number>(3_000).fill(1))).toBe('');
  });

  it('a body in small chunks is accepted when there are few of them, or large ones among them', async () => {
    expect(await sendChunks(...Array<number>(99).fill(1))).toContain('got 99');
    expect(await sendChunks(...Array<number>(200).fill(1_000), ...Array<number>(200).fill(1))).toContain(
      'got 200200',
    );
  });
});

function readiness(...checks: ReadinessCheck[]) {
  const clock = createFakeClock();
  const errors: string[] = [];
  const ready = createReadiness({
    checks,
    clock,
    timeoutMs: 2_000,
    onError: (name, error) => errors.push(`${name}: ${String(error)}`),
  });
  return { ready, clock, errors };
}

describe('readiness', () => {
  it('readiness has details of what is ready, and the reason alone of what is not', async () => {
    const detail = () => 'standing by';
    const failing = (): never => {
      throw new Error('secret detail');
    };

    const { ready, errors } = readiness(
      { name: 'store', check: async () => undefined },
      { name: 'discord', check: async () => undefined, detail },
      { name: 'telegram', check: async () => 'not connected', detail },
      { name: 'service', check: failing },
    );

    expect(await ready()).toEqual({
      ready: false,
      checks: {
        store: { ok: true },
        discord: { ok: true, detail: 'standing by' },
        telegram: { ok: false, reason: 'not connected' },
        service: { ok: false, reason: 'the check failed; the log says why' },
      },
    });
    expect(errors).toEqual(['service: Error: secret detail']);
  });

  it('readiness does not wait for a check that never answers', async () => {
    let given: AbortSignal | undefined;
    const check = (signal: AbortSignal): Promise<never> => {
      given = signal;
      return new Promise(() => undefined);
    };

    const { ready, clock } = readiness({ name: 'service', check });
    const answer = ready();

    await clock.advance(2_000);
    const service = { ok: false, reason: 'no answer within 2000 ms' };

    expect(await answer).toEqual({ ready: false, checks: { service } });
    expect(given?.aborted).toBe(true);
  });

  it('readiness is checked once for simultaneous callers, and again for later ones', async () => {
    let asked = 0;
    const check = async (): Promise<undefined> => {
      asked += 1;
    };

    const { ready, clock } = readiness({ name: 'store', check });

    await Promise.all([ready(), ready(), ready()]);
    await ready();

    expect(asked).toBe(1);

    await clock.advance(2_000);
    await ready();

    expect(asked).toBe(2);
  });
});
