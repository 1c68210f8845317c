import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchPublic } from '../../../../src/generation-service/inputs/fetch-public.ts';

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

const guarded = { maxBytes: 1000, timeoutMs: 5000, allowPrivateUrls: false };
const open = { ...guarded, allowPrivateUrls: true };

describe('fetchPublic', () => {
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
    await expect(fetchPublic(address, guarded)).rejects.toMatchObject({ errorCode: 'INVALID_IMAGE' });
  });

  it('does not connect to a name that resolves to this machine', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.end('picture');
    });
    const named = url.replace('127.0.0.1', 'localhost');
    await expect(fetchPublic(named, guarded)).rejects.toMatchObject({ status: 400 });
    expect(asked).toBe(0);
  });

  it('reads a picture, through redirects', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.end('picture');
    });
    expect((await fetchPublic(`${url}/a`, open)).toString()).toBe('picture');
  });

  it('checks the target of a redirect', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    });
    await expect(fetchPublic(url, open)).rejects.toThrow('http or https');
  });

  it('stops at a redirect loop', async () => {
    const url = await serve((request, response) => {
      response.writeHead(302, { location: request.url ?? '/' }).end();
    });
    await expect(fetchPublic(url, open)).rejects.toThrow('too often');
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
    await expect(fetchPublic(url, open)).rejects.toThrow('larger than 1000 bytes');
    expect(sent).toBeGreaterThan(0);
  });

  it('stops when nothing arrives', async () => {
    const url = await serve(() => undefined);
    await expect(fetchPublic(url, { ...open, timeoutMs: 40 })).rejects.toThrow('too long');
  });

  it.each([404, 500, 204])('refuses HTTP %i', async (status) => {
    const url = await serve((_request, response) => {
      response.writeHead(status).end();
    });
    await expect(fetchPublic(url, open)).rejects.toMatchObject({ errorCode: 'INVALID_IMAGE' });
  });
});
