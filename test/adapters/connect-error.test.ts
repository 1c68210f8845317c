import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server, type TcpNetConnectOpts } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { request } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { isConnectError } from '../../src/adapters/connect-error.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const portOf = async (server: Server): Promise<number> => {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};
const errorOf = (url: string): Promise<unknown> =>
  request(url, { method: 'POST', body: 'x' }).then(
    () => undefined,
    (error: unknown) => error,
  );
const errorOfSocket = async (options: TcpNetConnectOpts): Promise<unknown> =>
  (await once(connect(options), 'error').catch((error: unknown) => [error]))[0];
const errorAt = async (server: Server, scheme = 'http'): Promise<unknown> =>
  errorOf(`${scheme}://127.0.0.1:${await portOf(server)}/`);

it.each([
  ['nobody listens', async () => errorOf('http://127.0.0.1:1/')],
  [
    'nobody listens at any address of the host',
    async () =>
      errorOfSocket({
        host: 'two.example',
        port: 1,
        lookup: (_name, _options, found) =>
          found(
            null,
            ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })),
          ),
      }),
  ],
  ['there is no such host', async () => errorOf('http://nowhere.invalid/')],
  [
    // In the words of some C libraries.
    'there is no file descriptor for the look-up of the host',
    async () => Object.assign(new Error('getaddrinfo EBUSY'), { code: 'EBUSY', syscall: 'getaddrinfo' }),
  ],
  [
    'the local address is not available',
    async () => errorOfSocket({ host: '127.0.0.1', port: 1, localAddress: '203.0.113.1' }),
  ],
  [
    'the TLS handshake is cut off',
    () =>
      errorAt(
        createServer((socket) => socket.destroy()),
        'https',
      ),
  ],
  [
    'the answer to the TLS handshake is not TLS',
    () =>
      errorAt(
        createServer((socket) => socket.end('HTTP/1.1 400\r\n\r\n')),
        'https',
      ),
  ],
  ['the TLS handshake is refused', () => errorAt(createTlsServer(), 'https')],
  [
    'a certificate is not accepted',
    async () => Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' }),
  ],
])('nothing was sent when %s', async (_, work) => {
  expect(isConnectError(await work())).toBe(true);
});

it('nothing was sent when the process has no file descriptor left', () => {
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

it('a request that was interrupted may have arrived', async () => {
  const closing = createServer((socket) => socket.once('data', () => socket.destroy()));
  const reset = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
  const full = Object.assign(new Error('write ENOBUFS'), { code: 'ENOBUFS', syscall: 'write' });
  for (const error of [await errorAt(closing), await errorAt(reset), full])
    expect(isConnectError(error)).toBe(false);
});
