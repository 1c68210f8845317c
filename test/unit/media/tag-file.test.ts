import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { tagFile } from '../../../src/media/provenance/tag-file.ts';
import { PROVENANCE_XMP, TAG_BYTES } from '../../../src/media/provenance/xmp.ts';
import { PictureRefused } from '../../../src/picture/structure.ts';

const FORMATS = ['png', 'jpeg', 'webp'] as const;

/** Noise, in which any change of the encoding would show. */
const noise = (channels: 3 | 4 = 3) =>
  sharp({
    create: {
      width: 90,
      height: 61,
      channels,
      background: channels === 4 ? '#20408060' : '#204080',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  });

const xmpOf = async (file: Uint8Array): Promise<string | undefined> =>
  (await sharp(file).metadata()).xmp?.toString();

const FORMER = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><former/></x:xmpmeta>';

describe('a picture whose file is tagged', () => {
  it.each(FORMATS)(
    'a tagged picture says that it was made by AI, and every pixel stays (%s)',
    async (format) => {
      const file = await noise().toFormat(format, { quality: 80 }).toBuffer();
      const tagged = tagFile(file);

      expect(await xmpOf(tagged)).toBe(PROVENANCE_XMP);
      expect(PROVENANCE_XMP).toContain(
        'DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/compositeWithTrainedAlgorithmicMedia"',
      );
      expect((await sharp(tagged).metadata()).format).toBe(format);
      expect(await sharp(tagged).raw().toBuffer()).toEqual(await sharp(file).raw().toBuffer());
      expect(tagged.length - file.length).toBeLessThanOrEqual(TAG_BYTES);
    },
  );

  it.each(FORMATS)('a tagged picture keeps its orientation and its profile (%s)', async (format) => {
    const file = await noise()
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .toFormat(format, { quality: 80 })
      .toBuffer();
    const before = await sharp(file).metadata();
    const after = await sharp(tagFile(file)).metadata();

    expect(after.orientation).toBe(6);
    expect(after.icc).toEqual(before.icc);
    expect(after.xmp?.toString()).toBe(PROVENANCE_XMP);
  });

  it.each(FORMATS)('a tagged picture has no other XMP (%s)', async (format) => {
    const file = await noise().withXmp(FORMER).toFormat(format, { quality: 80 }).toBuffer();

    expect(await xmpOf(file)).toContain('<former/>');

    const tagged = Buffer.from(tagFile(file));

    expect(await xmpOf(tagged)).toBe(PROVENANCE_XMP);
    expect(Buffer.from(tagFile(tagged))).toEqual(tagged);
  });

  it.each([true, false])('a tagged WebP keeps its transparency (lossless: %s)', async (lossless) => {
    const file = await noise(4).webp({ lossless }).toBuffer();
    const tagged = tagFile(file);

    expect(await xmpOf(tagged)).toBe(PROVENANCE_XMP);
    expect((await sharp(tagged).metadata()).hasAlpha).toBe(true);
    expect(await sharp(tagged).raw().toBuffer()).toEqual(await sharp(file).raw().toBuffer());
  });

  it('a JPEG is tagged whose header has bytes to spare before a segment', async () => {
    const file = await noise().jpeg().toBuffer();
    const spaced = Buffer.concat([file.subarray(0, 2), Buffer.alloc(9, 0xff), file.subarray(2)]);

    expect(await xmpOf(tagFile(spaced))).toBe(PROVENANCE_XMP);
  });

  it.each([
    { what: 'a PNG of a beginning alone', bytes: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') },
    { what: 'a JPEG of a beginning alone', bytes: Buffer.from('\xff\xd8\xff\xe0', 'latin1') },
    { what: 'a WebP of a beginning alone', bytes: Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1') },
  ])('$what is refused', ({ bytes }) => {
    expect(() => tagFile(bytes)).toThrow(PictureRefused);
  });

  it('a WebP that ends within a chunk is refused', async () => {
    const file = await noise().webp().toBuffer();

    expect(() => tagFile(file.subarray(0, file.length - 9))).toThrow(PictureRefused);
  });
});

const box = (type: string, content: string): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + Buffer.byteLength(content, 'latin1'));
  head.write(type, 4);
  return Buffer.concat([head, Buffer.from(content, 'latin1')]);
};

describe('a video whose file is tagged', () => {
  const film = Buffer.concat([
    box('ftyp', 'isom\0\0\x02\0'),
    box('moov', 'a'.repeat(40)),
    box('mdat', 'frames'),
  ]);

  it('a tagged video keeps its bytes, and is followed by the mark', () => {
    const tagged = Buffer.from(tagFile(film));

    expect(tagged.subarray(0, film.length)).toEqual(film);
    expect(tagged.subarray(film.length).toString()).toContain('compositeWithTrainedAlgorithmicMedia');
  });

  it('a tagged video has one mark, and everything else at the place where it was', () => {
    const once = Buffer.from(tagFile(film));
    const twice = Buffer.from(tagFile(once));
    const uuids = [...twice.toString('latin1').matchAll(/uuid/g)].map(({ index }) => index);

    expect(uuids).toEqual([once.length + 4]);
    expect(twice.subarray(0, film.length)).toEqual(film);
    expect(twice.toString('latin1', film.length + 4, film.length + 8)).toBe('free');
  });

  it('a video of an unknown type stays as it is', () => {
    const strange = Buffer.from('FLV\x01\x05\0\0\0\x09 and more of it', 'latin1');

    expect(tagFile(strange)).toEqual(strange);
  });
});
