import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Downloads } from '../../../src/base/network/download.ts';
import type { Media } from '../../../src/command/view.ts';
import { fitPicture, fitVideo } from '../../../src/media/result.ts';
import { createDecoder, type Decoder } from '../../../src/picture/decoder.ts';
import { resultOf } from '../../e2e/stage/pictures.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import {
  animatedPng,
  animatedWebp,
  exifMazeJpeg,
  hollowPng,
  manyChunksPng,
  manyScansJpeg,
} from '../../fakes/hostile-pictures.ts';

const decoder = createDecoder({ clock: createFakeClock() });
afterAll(() => decoder.close());
const reader = { decoder, person: 'ann' };
const options = { name: 'darkroom', alt: 'A picture', spoiler: false, linkLabel: 'Watch', hasMark: false };
const room = { imageBytes: 10_000_000, fileBytes: 10_000_000, videoBytes: 10_000_000 };
const noise = sharp(randomBytes(400 * 400 * 3), { raw: { width: 400, height: 400, channels: 3 } });
const png = await noise.png().toBuffer();

const bytesOf = (media: Media | 'unusable'): Buffer => {
  if (media === 'unusable' || media.kind === 'link') throw new Error('a link has no bytes');
  return Buffer.from(media.bytes);
};

describe('a picture in a message', () => {
  it('a picture is shown unchanged, marked as AI-generated in its metadata', async () => {
    const media = await fitPicture(png, room, options, reader);

    expect(media).toMatchObject({ kind: 'image', as: 'inline', name: 'darkroom.png', type: 'image/png' });

    const { xmp } = await sharp(bytesOf(media)).metadata();

    expect(xmp?.toString()).toContain('AI-generated');
    expect(xmp?.toString()).toContain('/digitalsourcetype/compositeWithTrainedAlgorithmicMedia');
    expect(await sharp(bytesOf(media)).raw().toBuffer()).toEqual(await sharp(png).raw().toBuffer());
  });

  it('a picture with several frames is shown as its first one, which alone was looked at', async () => {
    const media = await fitPicture(animatedPng({ width: 400, height: 400 }), room, options, reader);

    expect(media).toMatchObject({ type: 'image/png', width: 400 });
    expect(bytesOf(media).includes('acTL')).toBe(false);
  });

  it.each(['jpeg', 'webp'] as const)('a picture that came as %s is shown inline', async (format) => {
    const bytes = await noise.clone()[format]({ quality: 90 }).toBuffer();
    const media = await fitPicture(bytes, room, options, reader);

    expect(media).toMatchObject({ kind: 'image', as: 'inline', name: 'darkroom.png', type: 'image/png' });

    const { xmp, format: shown, width } = await sharp(bytesOf(media)).metadata();

    expect(shown).toBe('png');
    expect(width).toBe(400);
    expect(media).toMatchObject({ width: 400 });
    expect(xmp?.toString()).toContain('AI-generated');
  });

  it('a picture is re-encoded when it is too large', async () => {
    const media = await fitPicture(png, { ...room, imageBytes: png.length - 1 }, options, reader);

    expect(media).toMatchObject({ as: 'inline', name: 'darkroom.jpg', type: 'image/jpeg' });

    const { xmp, width } = await sharp(bytesOf(media)).metadata();

    expect(xmp?.toString()).toContain('AI-generated');
    expect(width).toBe(400);
  });

  it('a picture is sent as a file when its re-encoded form is too large', async () => {
    const media = await fitPicture(png, { ...room, imageBytes: 1000 }, options, reader);

    expect(media).toMatchObject({ as: 'file', name: 'darkroom.png' });
  });

  it.each([
    { what: 'that is shown as it came', limits: room, isPlain: false },
    { what: 'that is encoded anew after the platform has refused it', limits: room, isPlain: true },
    {
      what: 'that is encoded anew because it is too large',
      limits: { ...room, imageBytes: 5_000 },
      isPlain: false,
    },
  ])('a picture $what has the visible mark', async ({ limits, isPlain }) => {
    const grey = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#808080' } })
      .png()
      .toBuffer();
    const media = await fitPicture(grey, limits, { ...options, hasMark: true, isPlain }, reader);

    const bytes = bytesOf(media);
    const { width, height, channels, xmp } = await sharp(bytes).metadata();

    expect(channels).toBe(3);
    expect(xmp?.toString()).toContain('AI-generated');

    const part = async (top: number, left: number) => {
      const area = {
        left,
        top,
        width: width - left,
        height: top === 0 ? Math.round(height * 0.9) : height - top,
      };
      const { channels: all } = await sharp(await sharp(bytes).extract(area).toBuffer()).stats();
      return [Math.min(...all.map(({ min }) => min)), Math.max(...all.map(({ max }) => max))];
    };
    const [darkest = 255, brightest = 0] = await part(Math.round(height * 0.9), Math.round(width * 0.9));

    expect(darkest).toBeLessThan(70);
    expect(brightest).toBeGreaterThan(230);
    expect(await part(0, 0)).toEqual([128, 128]);
  });

  it('a picture with transparency keeps it beside the visible mark', async () => {
    const clear = await sharp({ create: { width: 400, height: 400, channels: 4, background: '#80808000' } })
      .png()
      .toBuffer();
    const media = await fitPicture(clear, room, { ...options, hasMark: true }, reader);
    const { channels } = await sharp(bytesOf(media)).stats();

    expect(channels[3]?.min).toBe(0);
    expect(channels[3]?.max).toBeGreaterThan(200);
  });

  it('a picture is shrunk when nothing else fits', async () => {
    const small = { ...room, imageBytes: 20_000, fileBytes: 20_000 };
    const media = await fitPicture(png, small, options, reader);

    expect(media).toMatchObject({ as: 'inline', type: 'image/jpeg' });
    expect(bytesOf(media).length).toBeLessThanOrEqual(20_000);

    const { width, height } = await sharp(bytesOf(media)).metadata();

    expect(width).toBeLessThan(400);
    expect(media).toMatchObject({ width, height });
  });
});

describe('a result that was refused as it is', () => {
  it('a picture that was refused as it is becomes a smaller one of another kind', async () => {
    const wide = await resultOf('red', 2600, 1300);
    const media = await fitPicture(wide, room, { ...options, isPlain: true }, reader);

    expect(media).toMatchObject({ type: 'image/jpeg', as: 'inline', width: 1280, height: 640 });

    const { xmp } = await sharp(bytesOf(media)).metadata();

    expect(xmp?.toString()).toContain('AI-generated');
    expect(await fitPicture(png, room, { ...options, isPlain: true }, reader)).toMatchObject({ width: 400 });
  });

  it('a video that was refused as it is becomes a link', async () => {
    expect(await got(mp4, { isPlain: true })).toMatchObject({ kind: 'link', url: link });
  });
});

describe('bytes that only start like a picture', () => {
  it('bytes that only start like a picture are unusable if they must be re-encoded', async () => {
    const broken = Buffer.concat([png.subarray(0, 100), randomBytes(1_000)]);

    expect(await fitPicture(broken, { ...room, imageBytes: 500 }, options, reader)).toBe('unusable');
  });

  const tooMany = Buffer.from(png);
  tooMany.writeUInt32BE(30_000, 16);
  tooMany.writeUInt32BE(30_000, 20);

  it.each([
    { what: 'cut short', bytes: png.subarray(0, png.length / 2) },
    { what: 'a beginning and nothing more', bytes: png.subarray(0, 8) },
    {
      what: 'a beginning with something else behind',
      bytes: Buffer.concat([png.subarray(0, 8), Buffer.alloc(500, 'a')]),
    },
    { what: 'of more pixels than anybody asked for', bytes: tooMany },
  ])('bytes that only start like a picture are unusable if they would fit: $what', async ({ bytes }) => {
    expect(await fitPicture(bytes, room, options, reader)).toBe('unusable');
  });

  it('bytes of a picture of which only the end is missing are repaired', async () => {
    const media = await fitPicture(png.subarray(0, png.length - 12), room, options, reader);

    expect(bytesOf(media).includes('IEND')).toBe(true);
    expect(await sharp(bytesOf(media)).raw().toBuffer()).toEqual(await sharp(png).raw().toBuffer());
  });
});

describe('a result that is expensive to decode', () => {
  const size = { width: 200, height: 200 };

  it.each([
    { what: 'scans', bytes: manyScansJpeg({ width: 4000, height: 4000 }, 40_000) },
    { what: 'chunks', bytes: manyChunksPng(size, 100_000) },
    { what: 'frames', bytes: animatedWebp(size, 20_000) },
    { what: 'pixels that are not there', bytes: hollowPng({ width: 8000, height: 5000 }) },
  ])('a result that is expensive to decode is unusable: too many $what', async ({ bytes }) => {
    expect(await fitPicture(bytes, { ...room, imageBytes: 60 }, options, reader)).toBe('unusable');
  });

  it('a result is shown if only its EXIF data is expensive', async () => {
    expect(await fitPicture(exifMazeJpeg(size), room, options, reader)).toMatchObject({ type: 'image/png' });
  });

  it('a result is not called unusable if the decoder failed', async () => {
    const failing: Decoder = { ...decoder, convert: () => Promise.reject(new Error('no processes left')) };
    const small = { ...room, imageBytes: 500 };
    await expect(fitPicture(png, small, options, { ...reader, decoder: failing })).rejects.toThrow(
      'no processes',
    );
  });
});

const mp4 = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1');
const link = 'https://x.example/v.mp4';

/** The media that is shown for a video that is fetched like this. */
const got = (made: Buffer | 'too-large', { type = '', url = link, mayLink = true, isPlain = false } = {}) => {
  const downloads: Downloads = {
    get: async () => (made === 'too-large' ? made : { bytes: made, type }),
    mayLink: () => mayLink,
    close: async () => {},
  };
  return fitVideo(url, room, { ...options, isPlain }, downloads);
};

describe('a video in a message', () => {
  it('a video is sent inline, marked as AI-generated in its metadata', async () => {
    const media = await got(mp4);

    expect(media).toMatchObject({ kind: 'video', type: 'video/mp4', name: 'darkroom.mp4', as: 'inline' });
    expect(bytesOf(media).subarray(0, mp4.length)).toEqual(mp4);
    expect(bytesOf(media).includes('AI-generated')).toBe(true);
  });

  it('a video is linked when it is too large', async () => {
    const linked = { kind: 'link', url: link, label: 'Watch', spoiler: options.spoiler };

    expect(await got('too-large')).toEqual(linked);
  });

  it.each([
    { type: 'video/quicktime', url: 'https://x.example/v' },
    { type: 'application/octet-stream', url: 'https://x.example/v.mp4?sig=1' },
    { type: '', url: 'https://x.example/v.mov' },
  ])(
    'a video of an unknown format is sent if it is declared as a video ($type, $url)',
    async ({ type, url }) => {
      const strange = Buffer.from('\0\0\0\x08wide\0\0', 'latin1');
      const media = await got(strange, { url, type });

      expect(media).toMatchObject({ kind: 'video', type: 'video/mp4', name: 'darkroom.mp4' });
      expect(bytesOf(media).subarray(0, strange.length)).toEqual(strange);
      expect(bytesOf(media).includes('AI-generated')).toBe(true);
    },
  );

  it('a video of a format without metadata is sent unchanged', async () => {
    const strange = Buffer.from('FLV\x01\x05\0\0\0\x09', 'latin1');
    const url = 'https://x.example/v';

    expect(bytesOf(await got(strange, { url, type: 'video/x-flv' }))).toEqual(strange);
  });

  it('a video is marked if its last box extends to the end of the file', async () => {
    const film = Buffer.concat([mp4, Buffer.from('\0\0\0\0mdat the pictures', 'latin1')]);
    const bytes = bytesOf(await got(film));

    expect(bytes.readUInt32BE(mp4.length)).toBe(film.length - mp4.length);
    expect(bytes.toString('latin1', film.length + 4, film.length + 8)).toBe('uuid');
  });

  it('a marked video is otherwise unchanged, whatever follows its last box', async () => {
    const film = Buffer.concat([mp4, Buffer.alloc(99)]);
    const bytes = bytesOf(await got(film));

    expect(bytes.subarray(0, film.length)).toEqual(film);
  });

  it.each([
    { length: 'known', segment: Buffer.from('18538067' + '84' + 'ec820000', 'hex') },
    { length: 'unknown', segment: Buffer.from('18538067' + '01ffffffffffffff' + 'ec820000', 'hex') },
  ])('a WebM video is marked with a segment length that is $length', async ({ length, segment }) => {
    const film = Buffer.concat([Buffer.from('1a45dfa3' + '84' + '42868101', 'hex'), segment]);
    const bytes = bytesOf(await got(film, { url: 'https://x.example/v' }));

    expect(bytes.includes('AI-generated')).toBe(true);
    expect(bytes.includes('compositeWithTrainedAlgorithmicMedia')).toBe(true);

    const size = bytes.readBigUInt64BE(13) & 0xffffffffffffffn;

    expect(size).toBe(length === 'unknown' ? 0xffffffffffffffn : BigInt(bytes.length - 21));
    expect(bytes.subarray(21, 25)).toEqual(segment.subarray(-4));
    expect(bytes.toString('hex', 25, 29)).toBe('1254c367');
  });

  it.each([
    {
      what: 'an error page that calls itself a video',
      bytes: Buffer.from(' <!doctype html>'),
      type: 'video/mp4',
    },
    { what: 'an error in JSON', bytes: Buffer.from('{"detail":"expired"}'), type: 'video/mp4' },
    { what: 'an error in plain words', bytes: Buffer.from('Not found'), type: 'video/mp4' },
    {
      what: 'a page with a mark of its encoding',
      bytes: Buffer.from('\ufeff<!doctype html>'),
      type: 'video/mp4',
    },
    { what: 'something packed', bytes: gzipSync(Buffer.alloc(1_000_000)), type: 'video/mp4' },
    { what: 'a page', bytes: Buffer.from('Sign in'), type: 'text/html; charset=utf-8' },
    { what: 'a GIF', bytes: Buffer.from('GIF89a\x01\0\x01\0', 'latin1'), type: 'video/mp4' },
    { what: 'a HEIC', bytes: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'), type: 'video/mp4' },
    { what: 'a document', bytes: Buffer.from('%PDF-1.7\n\0\0', 'latin1'), type: 'video/mp4' },
    { what: 'an archive', bytes: Buffer.from('PK\x03\x04\0\0', 'latin1'), type: 'application/octet-stream' },
    { what: 'nothing', bytes: Buffer.alloc(0), type: 'video/mp4' },
    { what: 'a picture', bytes: Buffer.from('89504e470d0a1a0a00', 'hex'), type: 'video/mp4' },
  ])('a video is not $what', async ({ bytes, type }) => {
    expect(await got(bytes, { type })).toBe('unusable');
  });

  it('a video is refused when its link is not allowed', async () => {
    expect(await got(mp4, { url: 'http://10.0.0.1/v.mp4', mayLink: false })).toBe('unusable');
  });
});
