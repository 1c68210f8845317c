// @module-tag slow
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { type Area, WHOLE } from '../../../src/base/area.ts';
import { cleanFace, cleanPhoto, MAX_PHOTO_BYTES, PhotoRejected } from '../../../src/media/photo.ts';
import { createDecoder } from '../../../src/picture/decoder.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { manyScansJpeg } from '../../fakes/hostile-pictures.ts';

const decoder = createDecoder({ clock: createFakeClock() });
afterAll(() => decoder.close());
const clean = (bytes: Uint8Array, signal?: AbortSignal) => cleanPhoto(bytes, decoder, 'ann', signal);

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#ff8800' } });

const rejection = async (bytes: Uint8Array): Promise<PhotoRejected> => {
  const outcome = await clean(bytes).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(PhotoRejected);
  return outcome as PhotoRejected;
};

describe('a photo before it is sent', () => {
  it('a photo that is sent loses EXIF and location', async () => {
    const withLocation = await picture(60, 40)
      .withExif({
        IFD0: { Copyright: 'Jane Roe', Model: 'SpyCam 9' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' },
      })
      .jpeg()
      .toBuffer();
    expect((await sharp(withLocation).metadata()).exif?.includes('SpyCam')).toBe(true);

    const photo = await clean(withLocation);

    const { exif, xmp, iptc } = await sharp(photo.bytes).metadata();

    expect(exif).toBeUndefined();
    expect(xmp).toBeUndefined();
    expect(iptc).toBeUndefined();
    expect(photo.bytes.includes('SpyCam')).toBe(false);
    expect(photo.bytes.includes('Jane Roe')).toBe(false);
  });

  it('a photo is not decoded when aborted, which is not an error of the photo', async () => {
    const bytes = await picture(60, 40).jpeg().toBuffer();
    const given = new Error('given up');
    await expect(clean(bytes, AbortSignal.abort(given))).rejects.toBe(given);
  });

  it('a photo that is sent is turned upright', async () => {
    const lyingOnItsSide = await picture(60, 40).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { width, height } = await sharp((await clean(lyingOnItsSide)).bytes).metadata();

    expect(width).toBe(40);
    expect(height).toBe(60);
  });

  it.each(['jpeg', 'png', 'webp'] as const)(
    'a photo is accepted as %s and becomes a JPEG',
    async (format) => {
      const { bytes, type } = await clean(await picture(50, 50).toFormat(format).toBuffer());

      expect(type).toBe('image/jpeg');
      expect((await sharp(bytes).metadata()).format).toBe('jpeg');
    },
  );

  it('a photo that is sent becomes white where it is transparent', async () => {
    const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    const { data } = await sharp((await clean(clear)).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([...data.subarray(0, 3)]).toEqual([255, 255, 255]);
  });

  it('a photo that is sent is shrunk to at most 4096 pixels a side', async () => {
    const wide = await picture(6000, 300).jpeg().toBuffer();
    const { width, height } = await sharp((await clean(wide)).bytes).metadata();

    expect(width).toBe(4096);
    expect(height).toBe(205);
  });

  it.each([
    { format: 'HEIC', bytes: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1') },
    { format: 'GIF', bytes: Buffer.from('GIF89a\x01\0\x01\0', 'latin1') },
    { format: 'SVG', bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>') },
    { format: 'TIFF', bytes: Buffer.from('II*\0aaaa', 'latin1') },
    { format: 'PDF', bytes: Buffer.from('%PDF-1.7') },
    { format: 'video', bytes: Buffer.from('\0\0\0\x18ftypisom\0\0\0\0', 'latin1') },
  ])('a photo is refused as $format by name', async ({ format, bytes }) => {
    expect(await rejection(bytes)).toMatchObject({ reason: 'format', format });
  });

  it.each([
    { name: 'nothing', bytes: Buffer.alloc(0) },
    { name: 'text', bytes: Buffer.from('hello') },
  ])('a photo is refused when it is $name', async ({ bytes }) => {
    expect(await rejection(bytes)).toMatchObject({ reason: 'format', format: undefined });
  });

  it('a photo is refused when it is truncated, or has more than 40 megapixels', async () => {
    const whole = await picture(600, 400).jpeg().toBuffer();
    for (const bytes of [200, whole.length / 3])
      expect((await rejection(whole.subarray(0, bytes))).reason).toBe('broken');

    const bomb = await picture(8000, 5001).png({ compressionLevel: 9 }).toBuffer();

    expect((await rejection(bomb)).reason).toBe('pixels');
  });

  it('a photo is refused above 20 MB, and when it is too complex, whatever its size', async () => {
    const heavy = Buffer.alloc(MAX_PHOTO_BYTES + 1);
    heavy.set([0xff, 0xd8, 0xff]);

    expect((await rejection(heavy)).reason).toBe('bytes');

    const scans = manyScansJpeg({ width: 4000, height: 4000 }, 40_000);

    expect(scans.length).toBeLessThan(1_500_000);
    expect((await rejection(scans)).reason).toBe('too-complex');
  });

  it('a photo is decoded in another process, and the decoders are not loaded in this one', async () => {
    await clean(await picture(60, 40).jpeg().toBuffer());

    expect(decoder.pids()).toHaveLength(1);
    expect(decoder.pids()).not.toContain(process.pid);
  });
});

describe('a part of a photo', () => {
  /** Red on the left and blue on the right when it is upright; stored on its side. */
  const halves = async (width: number, height: number): Promise<Buffer> =>
    sharp({ create: { width: height, height: width, channels: 3, background: '#ff0000' } })
      .composite([
        {
          input: { create: { width: height, height: width / 2, channels: 3, background: '#0000ff' } },
          top: 0,
          left: 0,
        },
      ])
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();

  const right = { left: 0.5, top: 0, width: 0.5, height: 1 };

  const cut = async (bytes: Uint8Array, part: Area) => {
    const { bytes: made } = await cleanPhoto(bytes, decoder, 'ann', undefined, { part });
    const [{ width, height }, { channels }] = await Promise.all([
      sharp(made).metadata(),
      sharp(made).stats(),
    ]);
    return { width, height, colour: channels.map(({ mean }) => Math.round(mean / 255)) };
  };

  it('a part of a photo is cut from the upright photo', async () => {
    const photo = await halves(2_000, 1_000);
    const half = { width: 1_000, height: 1_000 };
    // Orientation 6 turns it clockwise: the upper half, blue, is then on the right.
    expect(await cut(photo, right)).toEqual({ ...half, colour: [0, 0, 1] });
    expect(await cut(photo, { ...right, left: 0 })).toEqual({ ...half, colour: [1, 0, 0] });
  });

  it('a part of a photo is enlarged until it has 512 pixels a side, but not beyond what the photo has', async () => {
    const narrow = { left: 0.6, top: 0.2, width: 0.1, height: 0.5 };

    expect(await cut(await halves(2_000, 1_000), narrow)).toMatchObject({ width: 512, height: 1_280 });
    expect(await cut(await halves(600, 300), narrow)).toMatchObject({ width: 300, height: 750 });
    expect(await cut(await halves(600, 300), WHOLE)).toMatchObject({ width: 600, height: 300 });
  });

  it('only the part of a photo is kept of a face', async () => {
    const { signal } = new AbortController();

    const kept = await cleanFace(await halves(2_000, 1_000), 768 * 1024, decoder, 'ann', signal, right);
    const { width, height } = await sharp(kept).metadata();

    expect(width).toBe(1_000);
    expect(height).toBe(1_000);
  });
});

describe('a face that is kept', () => {
  const keep = (bytes: Uint8Array, mostBytes: number) =>
    cleanFace(bytes, mostBytes, decoder, 'ann', new AbortController().signal);

  const noise = sharp({
    create: {
      width: 2400,
      height: 1800,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 80 },
    },
  });

  it('a saved face is upright, has no metadata and keeps its size where that is small', async () => {
    const bytes = await picture(300, 200)
      .withExif({ IFD0: { Copyright: 'Jane Roe' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { width, height, exif, format } = await sharp(await keep(bytes, 768 * 1024)).metadata();

    expect(width).toBe(200);
    expect(height).toBe(300);
    expect(exif).toBeUndefined();
    expect(format).toBe('jpeg');
  });

  it('a saved face is made smaller until it fits, even if it is nothing but noise', async () => {
    const kept = await keep(await noise.jpeg({ quality: 100 }).toBuffer(), 768 * 1024);

    expect(kept.byteLength).toBeLessThanOrEqual(768 * 1024);
    expect((await sharp(kept).metadata()).width).toBeGreaterThanOrEqual(768);
  });

  it('a saved face is refused if it cannot be small enough, and if it is no photo', async () => {
    await expect(keep(await noise.png().toBuffer(), 1000)).rejects.toThrow(PhotoRejected);
    await expect(keep(Buffer.from('hello'), 768 * 1024)).rejects.toThrow(PhotoRejected);
  });
});
