import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createFetchLink } from '../../../../src/generation-service/inputs/read-image.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

const limits = { maxBytes: 1000, timeoutMs: 5000 };
const guarded = createFetchLink(false);
const open = createFetchLink(true);

describe('a link to a picture', () => {
  it.each([
    'http://127.0.0.1/a.jpg',
    'http://[::1]/a.jpg',
    'http://[::ffff:127.0.0.1]/a.jpg',
    'http://2130706433/a.jpg',
    'http://0x7f.1/a.jpg',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost/a.jpg',
    'ftp://example.org/a.jpg',
    'file:///etc/passwd',
    'https://user:secret@example.org/a.jpg',
    'http://',
  ])('refuses %s', async (address) => {
    await expect(guarded(address, limits)).rejects.toMatchObject({ errorCode: 'INVALID_IMAGE' });
  });

  it('reads a picture, through redirects', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.end('picture');
    });
    expect((await open(`${url}/a`, limits)).toString()).toBe('picture');
  });

  it('stops when nothing arrives', async () => {
    const url = await serve(() => undefined);
    await expect(open(url, { ...limits, timeoutMs: 40 })).rejects.toThrow('too long');
  });

  it.each([404, 500, 204])('refuses HTTP %i', async (status) => {
    const url = await serve((_request, response) => {
      response.writeHead(status).end();
    });
    await expect(open(url, limits)).rejects.toMatchObject({ errorCode: 'INVALID_IMAGE' });
  });
});
