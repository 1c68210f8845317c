import { createServer, type RequestListener, type Server } from 'node:http';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createFetchLink, createReadImage } from '../../../../src/generation-service/inputs/read-image.ts';
import { createDecoder } from '../../../../src/picture/decoder.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { animatedWebp, manyChunksPng, manyScansJpeg } from '../../../fakes/hostile-pictures.ts';
import { hangUp, listen } from '../../../listen.ts';

const decoder = createDecoder({ clock: createFakeClock() });
afterAll(() => decoder.close());
const readImage = createReadImage({ allowPrivateUrls: false, decoder });

const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8844aa' } });

const base64 = async (image: ReturnType<typeof draw>) => (await image.toBuffer()).toString('base64');

const sizeOf = async (bytes: Buffer) => {
  const { width, height, format } = await sharp(bytes).metadata();
  return { width, height, format };
};

const invalid = { status: 400, errorCode: 'INVALID_IMAGE' };

describe('reading an image field', () => {
  it.each(['jpeg', 'png', 'webp'] as const)(
    'an image field takes %s as base64 and as a data URI',
    async (format) => {
      const text = await base64(draw(60, 40).toFormat(format));
      const expected = { width: 60, height: 40, format: 'jpeg' };
      expect(await sizeOf(await readImage(text, 'base64'))).toEqual(expected);
      expect(await sizeOf(await readImage(`data:image/${format};base64,${text}`, 'base64'))).toEqual(
        expected,
      );
    },
  );

  it('an image field takes base64 broken into lines', async () => {
    const text = await base64(draw(60, 40).png());
    expect(await sizeOf(await readImage(text.replace(/(.{20})/g, '$1\r\n'), 'base64'))).toMatchObject({
      width: 60,
    });
  });

  it('an image field turns photos upright and drops metadata', async () => {
    const turned = draw(60, 40).withMetadata({ orientation: 6 }).jpeg();
    const bytes = await readImage(await base64(turned), 'base64');
    expect(await sizeOf(bytes)).toMatchObject({ width: 40, height: 60 });
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  it('an image field bounds the size of large photos', async () => {
    const bytes = await readImage(await base64(draw(4000, 1000).jpeg()), 'base64');
    expect(await sizeOf(bytes)).toMatchObject({ width: 2200, height: 550 });
  });

  it.each([
    { what: 'no base64', value: 'hello world!' },
    { what: 'base64 of text', value: btoa('just some words, no picture') },
    { what: 'an SVG', value: btoa('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>') },
    { what: 'a data URI of something else', value: 'data:text/html;base64,aGVsbG8=' },
    { what: 'only the signature of a PNG', value: btoa('\x89PNG\r\n\x1a\n0000') },
  ])('an image field refuses $what', async ({ value }) => {
    await expect(readImage(value, 'base64')).rejects.toMatchObject(invalid);
  });

  it.each([
    { what: 'scans', bytes: manyScansJpeg({ width: 4000, height: 4000 }, 40_000) },
    { what: 'chunks', bytes: manyChunksPng({ width: 64, height: 64 }, 100_000) },
    { what: 'frames', bytes: animatedWebp({ width: 64, height: 64 }, 20_000) },
  ])('an image field refuses a picture of too many $what', async ({ bytes }) => {
    const refused = { ...invalid, message: expect.stringContaining('too much work') };
    await expect(readImage(bytes.toString('base64'), 'base64')).rejects.toMatchObject(refused);
  });
});

describe('an image field that is a link', () => {
  const servers: Server[] = [];

  afterEach(async () => {
    for (const server of servers.splice(0)) await hangUp(server);
  });

  const serve = (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    servers.push(server);
    return listen(server);
  };

  const limits = { maxBytes: 1000, timeoutMs: 5000 };
  const open = createFetchLink(true);

  it.each(['http://0x7f.1/a.jpg', 'file:///etc/passwd', 'https://user:secret@example.org/a.jpg', 'http://'])(
    'an image field that is a link is refused: %s',
    async (address) => {
      await expect(createFetchLink(false)(address, limits)).rejects.toMatchObject(invalid);
    },
  );

  it('an image field that is a link to this machine is not followed', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.end('picture');
    });
    for (const address of [url, url.replace('127.0.0.1', 'localhost')])
      await expect(createFetchLink(false)(address, limits)).rejects.toThrow('publicly accessible');
    expect(asked).toBe(0);
  });

  it('an image field that is a link is read through redirects, and given up when nothing arrives', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else if (request.url === '/b') response.end('picture');
    });
    expect((await open(`${url}/a`, limits)).toString()).toBe('picture');
    await expect(open(`${url}/c`, { ...limits, timeoutMs: 40 })).rejects.toThrow('too long');
  });

  it.each([404, 500, 204])('an image field that is a link is refused with HTTP %i', async (status) => {
    const url = await serve((_request, response) => void response.writeHead(status).end());
    await expect(open(url, limits)).rejects.toMatchObject(invalid);
  });

  it('an image field that is a link to a host that hangs does not block links to others', async () => {
    let asked = 0;
    let isOver = false;

    const slow = await serve((request) => {
      asked += 1;
      if (isOver) request.socket.destroy();
    });
    const picture = await draw(60, 40).png().toBuffer();
    const quick = await serve((_request, response) => response.end(picture));
    const read = createReadImage({ allowPrivateUrls: true, decoder });
    const waiting = Array.from({ length: 30 }, () => read(slow, 'base64').catch((error: unknown) => error));

    expect(await sizeOf(await read(quick, 'base64'))).toMatchObject({ width: 60 });
    expect(asked).toBeLessThanOrEqual(4);

    isOver = true;
    servers[0]?.closeAllConnections();
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject(invalid);
  });
});
