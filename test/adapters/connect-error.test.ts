import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  connect,
  createServer,
  type LookupFunction,
  type Server,
  type Socket,
  type TcpNetConnectOpts,
} from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { isConnectError } from '../../src/adapters/connect-error.ts';
import { listen } from '../listen.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const errorOf = (url: string): Promise<unknown> =>
  request(url, { method: 'POST', body: 'x' }).catch((error: unknown) => error);

const errorOfSocket = async (options: TcpNetConnectOpts): Promise<unknown> =>
  (await once(connect(options), 'error').catch((error: unknown) => [error]))[0];

const errorAt = async (server: Server, scheme = 'http'): Promise<unknown> => {
  servers.push(server);
  return errorOf((await listen(server)).replace('http', scheme));
};

/** A server that speaks no TLS, asked as if it did. */
const withoutTls = (answer: (socket: Socket) => void) => () => errorAt(createServer(answer), 'https');

/** An error as Node has it. */
const coded =
  (code: string, more = {}) =>
  async () =>
    Object.assign(new Error(code), { code, ...more });

/** A host with two addresses, both of this machine. */
const bothLocal: LookupFunction = (_name, _options, found) =>
  found(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ]);

it.each([
  { when: 'nobody listens', fail: () => errorOf('http://127.0.0.1:1/') },
  {
    when: 'nobody listens at any address of the host',
    fail: () => errorOfSocket({ host: 'two.example', port: 1, lookup: bothLocal }),
  },
  { when: 'there is no such host', fail: () => errorOf('http://nowhere.invalid/') },
  // Some C libraries say it in these words.
  {
    when: 'there is no file descriptor for the look-up of the host',
    fail: coded('EBUSY', { syscall: 'getaddrinfo' }),
  },
  {
    when: 'the local address is not available',
    fail: () => errorOfSocket({ host: '127.0.0.1', port: 1, localAddress: '203.0.113.1' }),
  },
  { when: 'the TLS handshake is cut off', fail: withoutTls((socket) => socket.destroy()) },
  {
    when: 'the answer to the TLS handshake is not TLS',
    fail: withoutTls((socket) => socket.end('HTTP/1.1 400\r\n\r\n')),
  },
  { when: 'the TLS handshake is refused', fail: () => errorAt(createTlsServer(), 'https') },
  { when: 'a certificate is not accepted', fail: coded('CERT_HAS_EXPIRED') },
])('a request is known as not sent when $when', async ({ fail: work }) => {
  expect(isConnectError(await work())).toBe(true);
});

it('a request is known as not sent when the process has no file descriptor left', () => {
  const program = `
    import { openSync } from 'node:fs';
    import { request } from 'undici';
    import { isConnectError } from './src/adapters/connect-error.ts';
    const urls = ['http://127.0.0.1:1/', 'http://localhost:1/'];
    const errorOf = (url) => request(url).catch((error) => error);
    await Promise.all(urls.map(errorOf));
    try { for (;;) openSync('/dev/null'); } catch (error) { console.log(error.code); }
    for (const url of urls) {
      console.log(isConnectError(await errorOf(url)));
    }
    process.exit();`;
  const { stdout } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 64; exec "$0" --input-type=module-typescript -e "$1"', process.execPath, program],
    { encoding: 'utf8' },
  );
  expect(stdout).toBe('EMFILE\ntrue\ntrue\n');
});

it.each([
  {
    when: 'the server closes the connection',
    fail: () => errorAt(createServer((socket) => socket.once('data', () => socket.destroy()))),
  },
  {
    when: 'the server resets the connection',
    fail: () => errorAt(createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))),
  },
  { when: 'a write fails', fail: coded('ENOBUFS', { syscall: 'write' }) },
])('a request that is interrupted may have arrived: $when', async ({ fail }) => {
  const error = await fail();

  expect(isConnectError(error)).toBe(false);
});
