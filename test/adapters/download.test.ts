import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { download, type PhotoLimits } from '../../src/adapters/download.ts';
import { systemClock } from '../../src/base/clock.ts';
import { serving } from '../fakes/serving.ts';

/** Fetches what this server sends. */
const downloadFrom = async (listener: RequestListener, limits: Partial<PhotoLimits> = {}) => {
  const url = await serving(listener);
  return download(`${url}/photo.jpg`, {
    clock: systemClock,
    longestMs: 60_000,
    maxBytes: 1_000,
    signal: new AbortController().signal,
    reserve: async () => undefined,
    ...limits,
  });
};

it('a downloaded photo is what the host sends, and is asked for uncompressed', async () => {
  let accepted: unknown;
  const read = downloadFrom((request, response) => {
    accepted = request.headers['accept-encoding'];
    response.end(Buffer.from([1, 2, 3]));
  });
  expect(await read).toEqual(new Uint8Array([1, 2, 3]));
  expect(accepted).toBe('identity');
});

it('a photo that is announced as larger than allowed is not read', async () => {
  const announced = downloadFrom(
    (_, response) => void response.writeHead(200, { 'content-length': 1_001 }).write('x'),
  );

  expect(await announced).toBe('too-large');
});

it('a photo without an announced size is read no further than the limit', async () => {
  const endless = downloadFrom((_, response) => {
    const send = (): void => {
      if (response.destroyed) return;
      response.write('x'.repeat(500), send);
    };
    send();
  });

  expect(await endless).toBe('too-large');
});

it('of an answer that is no success only the status is read', async () => {
  const refused = downloadFrom((_, response) => void response.writeHead(404).write('an endless explanation'));

  expect(await refused).toEqual({ status: 404 });
});

it('a redirect of a photo’s download is not followed', async () => {
  const asked: (string | undefined)[] = [];
  const redirected = downloadFrom((request, response) => {
    asked.push(request.url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });

  await expect(redirected).rejects.toThrow('redirects');
  expect(asked).toEqual(['/photo.jpg']);
});

it('a photo that is cut off is no photo', async () => {
  const cut = downloadFrom((_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('x'.repeat(50), () => response.destroy());
  });

  await expect(cut).rejects.toThrow();
});

it('a download ends with the signal of its caller', async () => {
  const caller = new AbortController();

  const stopped = downloadFrom(() => caller.abort(new Error('no longer needed')), { signal: caller.signal });

  await expect(stopped).rejects.toThrow('no longer needed');
});
