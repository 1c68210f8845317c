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

  it('does not connect to a name that resolves to this machine', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.end('picture');
    });
    const named = url.replace('127.0.0.1', 'localhost');
    await expect(guarded(named, limits)).rejects.toMatchObject({ status: 400 });
    expect(asked).toBe(0);
  });

  it('reads a picture, through redirects', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.end('picture');
    });
    expect((await open(`${url}/a`, limits)).toString()).toBe('picture');
  });

  it('checks the target of a redirect', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    });
    await expect(open(url, limits)).rejects.toThrow('http or https');
  });

  it('stops at a redirect loop', async () => {
    const url = await serve((request, response) => {
      response.writeHead(302, { location: request.url ?? '/' }).end();
    });
    await expect(open(url, limits)).rejects.toThrow('too often');
  });

  it('stops at the size limit, announced or not', async () => {
    let sent = 0;
    const url = await serve((_request, response) => {
      const more = () => {
        if (response.destroyed) return;
        sent += 1;
        response.write(Buffer.alloc(600));
        setImmediate(more);
      };
      more();
    });
    await expect(open(url, limits)).rejects.toThrow('larger than 1000 bytes');
    expect(sent).toBeGreaterThan(0);
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
