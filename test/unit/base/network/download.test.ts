import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDownloads,
  DownloadMissing,
  DownloadRefused,
  type Downloads,
} from '../../../../src/base/network/download.ts';
import { SmallPieces } from '../../../../src/base/network/small-pieces.ts';
import { eventually } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createHostileService, TINY_FLOODS } from '../../../fakes/hostile-service.ts';
import { hangUp, listen } from '../../../listen.ts';

describe('downloads', () => {
  let url = '';
  let downloads: Downloads;
  let requests = 0;

  const server = createServer((request, response) => {
    requests += 1;
    if (request.url === '/away') return response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end();
    if (request.url === '/round') return response.writeHead(302, { location: '/round' }).end();
    if (request.url === '/moved') return response.writeHead(302, { location: '/file' }).end();
    if (request.url === '/gone') return response.writeHead(404).end('no');
    if (request.url === '/broken') return response.writeHead(500).end('no');
    if (request.url === '/half') return void response.writeHead(200).write('half');
    if (request.url === '/endless') {
      response.writeHead(200);
      const pour = () => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', pour);
      };
      response.on('error', () => {});
      return pour();
    }
    return response.end('hello');
  });

  beforeAll(async () => {
    url = await listen(server);
    downloads = createDownloads(url, createFakeClock());
  });

  afterAll(async () => {
    await downloads.close();
    await hangUp(server);
  });

  const hello = { bytes: Buffer.from('hello') };

  it('a download comes from the service itself, also over a redirect', async () => {
    expect(await downloads.get(`${url}/file`, { maxBytes: 100 })).toMatchObject(hello);
    expect(await downloads.get(`${url}/moved`, { maxBytes: 100 })).toMatchObject(hello);
  });

  it('a download waits for a turn before each call of the service, in the lane of its kind', async () => {
    const turns: { lane: string; come: () => void }[] = [];
    const paced = createDownloads(url, createFakeClock(), {
      turn: (lane) => new Promise((come) => void turns.push({ lane, come })),
    });
    const begun: string[] = [];
    const moved = paced.get(`${url}/moved`, {
      maxBytes: 100,
      lane: 'read',
      begun: () => void begun.push('moved'),
    });
    const file = paced.get(`${url}/file`, { maxBytes: 100, begun: () => void begun.push('file') });
    const before = requests;

    turns[1]?.come();
    await file;

    expect(requests - before).toBe(1);
    expect(begun).toEqual(['file']);

    turns[0]?.come();
    await eventually(() => turns.length === 3, 'the redirect to wait for its turn');

    expect(requests - before).toBe(2);
    expect(begun).toEqual(['file', 'moved']);

    turns[2]?.come();
    await moved;

    expect(turns.map(({ lane }) => lane)).toEqual(['read', 'poll', 'read']);

    await paced.close();
  });

  it('a download accepts other local names of the service’s host, but no other port', async () => {
    const byName = url.replace('127.0.0.1', 'localhost');

    expect(await downloads.get(`${byName}/file`, { maxBytes: 100 })).toMatchObject(hello);
    expect(downloads.mayLink('http://localhost:1/file')).toBe(false);
  });

  it('a download stops at the limit, announced or not', async () => {
    expect(await downloads.get(`${url}/file`, { maxBytes: 4 })).toBe('too-large');
    expect(await downloads.get(`${url}/endless`, { maxBytes: 1_000_000 })).toBe('too-large');
  });

  it.each(TINY_FLOODS)('a download that sends $what for ever is ended', async ({ answer }) => {
    const service = await createHostileService();

    service.script.other = () => answer;
    const flooded = createDownloads(service.url, createFakeClock());

    await expect(flooded.get(`${service.url}/x`, { maxBytes: 10_000_000 })).rejects.toBeInstanceOf(
      SmallPieces,
    );

    await flooded.close();
    await service.close();
  });

  it('the end of downloads does not wait for one that hangs', async () => {
    const ended = createDownloads(url, createFakeClock());
    const before = requests;
    const broken = expect(ended.get(`${url}/half`, { maxBytes: 100 })).rejects.toThrow();

    await eventually(() => requests > before, 'the download');
    await ended.close();
    await broken;
  });

  it('a download follows no redirect to a private address, no loop, and no name that resolves to such an address', async () => {
    for (const link of [`${url}/away`, `${url}/round`, 'https://localhost:1/v.mp4'])
      await expect(downloads.get(link, { maxBytes: 100 }), link).rejects.toBeInstanceOf(DownloadRefused);
  });

  it('a download tells a failed server from a missing file', async () => {
    await expect(downloads.get(`${url}/gone`, { maxBytes: 100 })).rejects.toBeInstanceOf(DownloadMissing);
    await expect(downloads.get(`${url}/broken`, { maxBytes: 100 })).rejects.toThrow('500');
  });

  it.each([
    'http://example.com/v.mp4',
    'https://127.0.0.1/v',
    'https://[::1]/v',
    'https://10.0.0.8/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:pass@example.com/',
    'not a link',
    `https://example.com/${'x'.repeat(5000)}`,
  ])('a download refuses %s', async (link) => {
    expect(downloads.mayLink(link)).toBe(false);
    await expect(downloads.get(link, { maxBytes: 100 })).rejects.toBeInstanceOf(DownloadRefused);
  });

  it('a download allows a link to public https', () =>
    expect(downloads.mayLink('https://cdn.example.com/v.mp4?x=1')).toBe(true));
});
