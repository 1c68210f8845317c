import { describe, expect, it } from 'vitest';
import { serveMedia } from '../../../../src/adapters/web/incoming/serve-media.ts';

const video = { bytes: new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), type: 'video/mp4' };
const ask = (range?: string, none?: string): Response => serveMedia(video, 'tag', none, range);

const bytesOf = async (response: Response): Promise<number[]> => [
  ...new Uint8Array(await response.arrayBuffer()),
];

describe('media', () => {
  it('media is served whole, with its type and nothing executable', async () => {
    const whole = ask();
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-type')).toBe('video/mp4');
    expect(whole.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(await bytesOf(whole)).toHaveLength(10);
  });

  it.each([
    { range: 'bytes=0-', bytes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], said: 'bytes 0-9/10' },
    { range: 'bytes=2-4', bytes: [2, 3, 4], said: 'bytes 2-4/10' },
    { range: 'bytes=8-99', bytes: [8, 9], said: 'bytes 8-9/10' },
    { range: 'bytes=-3', bytes: [7, 8, 9], said: 'bytes 7-9/10' },
    { range: 'bytes=-99', bytes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], said: 'bytes 0-9/10' },
  ])('media is served in part: $range', async ({ range, bytes, said }) => {
    const part = ask(range);
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(said);
    expect(part.headers.get('content-length')).toBe(String(bytes.length));
    expect(await bytesOf(part)).toEqual(bytes);
  });

  it.each(['bytes=10-', 'bytes=5-2', 'bytes=-0'])('media has no such part: %s', (range) => {
    expect(ask(range).status).toBe(416);
    expect(ask(range).headers.get('content-range')).toBe('bytes */10');
  });

  it.each(['bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b'])(
    'media is served whole for anything but a single range: %s',
    (range) => expect(ask(range).status).toBe(200),
  );

  it('media is not sent again if cached, and is a download unless it is a picture or video', () => {
    expect(ask(undefined, '"tag"').status).toBe(304);
    const page = serveMedia({ ...video, type: 'text/html' }, 'tag');
    expect(page.headers.get('content-disposition')).toBe('attachment');
  });
});

it('media is streamed, so that a slow reader uses little memory', async () => {
  const large = { bytes: new Uint8Array(10 * 1024 * 1024), type: 'video/mp4' };
  const reader = serveMedia(large, 'tag').body?.getReader();
  let pieces = 0;
  let total = 0;

  for (;;) {
    const next = await reader?.read();
    if (next?.value === undefined) break;
    pieces += 1;
    total += next.value.byteLength;
    expect(next.value.byteLength).toBeLessThanOrEqual(64 * 1024);
  }
  expect(pieces).toBe(160);
  expect(total).toEqual(large.bytes.byteLength);
});
