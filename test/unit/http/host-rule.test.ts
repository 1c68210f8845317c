import { request } from 'node:http';
import { Hono } from 'hono';
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { createHttp, type Http } from '../../../src/http/server.ts';
import { createLog } from '../../../src/log/log.ts';

const open: Http[] = [];
afterEach(async () => {
  for (const http of open.splice(0)) await http.close();
});

/** On all addresses, as in a container. */
const start = async (anyHost: boolean) => {
  const http = await createHttp({
    host: '0.0.0.0',
    port: 0,
    clock: systemClock,
    health: () => ({}),
    ready: async () => ({ ready: true, checks: {} }),
    metrics: new Registry(),
    log: createLog({ level: 'silent', secrets: [] }),
    mount: [
      { path: '/hook', app: new Hono().post('/', (context) => context.text('got it')), anyHost: true },
      { path: '/owner', app: new Hono().get('/', (context) => context.text('figures')), anyHost },
      {
        path: '/',
        app: new Hono()
          .get('/', (context) => context.text('page'))
          .post('/api/messages', (context) => context.text('heard')),
        anyHost,
      },
    ],
  });
  open.push(http);
  return (path: string, host: string, method = 'GET'): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(`${http.url}${path}`, { method, headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
};

const addresses = [
  '127.0.0.1',
  '127.0.0.1:8080',
  'localhost:8080',
  'LOCALHOST',
  '[::1]:8080',
  '192.168.1.20:8080',
  '[fd00::1]',
];
const foreign = [
  'evil.example',
  'evil.example:8080',
  '127.0.0.1.evil.example',
  'localhost.evil.example:8080',
  'localhost.',
];
const malformed = ['127.0.0.1:8080:80', '[evil.example]', '127.0.0.1@evil.example'];

describe('a server that listens on all addresses', () => {
  it.each([
    ['/', 'GET'],
    ['/owner', 'GET'],
    ['/api/messages', 'POST'],
  ])('without a password accepts only IP addresses as host: %s', async (path, method) => {
    const statusFor = await start(false);
    for (const host of addresses) expect([host, await statusFor(path, host, method)]).toEqual([host, 200]);
    for (const host of [...foreign, 'darkroom:8080'])
      expect([host, await statusFor(path, host, method)]).toEqual([host, 421]);
    for (const host of malformed) expect([400, 421]).toContain(await statusFor(path, host, method));
  });

  it.each(['/', '/owner'])('with a password accepts any host name: %s', async (path) => {
    const statusFor = await start(true);
    expect(await statusFor(path, 'darkroom.example')).toBe(200);
  });

  it.each(['/metrics', '/readyz'])('serves %s by address and by container name', async (path) => {
    // Whatever the password of the pages is: these have none.
    for (const anyHost of [true, false]) {
      const statusFor = await start(anyHost);
      for (const host of [...addresses, 'darkroom:8080', 'darkroom_bot-1'])
        expect([host, await statusFor(path, host)]).toEqual([host, 200]);
      for (const host of foreign) expect([host, await statusFor(path, host)]).toEqual([host, 421]);
    }
  });

  it('accepts any host for a webhook, which has a secret', async () => {
    const statusFor = await start(false);
    expect(await statusFor('/hook', 'bot.example', 'POST')).toBe(200);
  });
});
