import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { keepOrientationOnly, orientationOf } from '../../../src/picture/exif.ts';
import { inspectPicture } from '../../../src/picture/inspect.ts';
import { exifMazeJpeg } from '../../fakes/hostile-pictures.ts';

const picture = (orientation: number) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#ff8800' } })
    .withExif({ IFD0: { Model: 'SpyCam 9' } })
    .withMetadata({ orientation });

/** Reduces the EXIF data in these bytes themselves, and returns them. */
const simplified = (bytes: Buffer): Buffer => {
  keepOrientationOnly(bytes, inspectPicture(bytes, 40_000_000));
  return bytes;
};

describe.each(['jpeg', 'png', 'webp'] as const)('the EXIF data of a picture (%s)', (format) => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    `of the EXIF data of a ${format} picture only the orientation is kept: %i`,
    async (orientation) => {
      const before = await picture(orientation).toFormat(format).toBuffer();

      expect((await sharp(before).metadata()).orientation).toBe(orientation);

      const after = simplified(Buffer.from(before));
      // Sharp is told to fail on warnings, so that it refuses a picture with a wrong checksum.
      const { orientation: kept } = await sharp(after, { failOn: 'warning' }).metadata();

      expect(kept).toBe(orientation);
      expect(after.includes('SpyCam')).toBe(false);
    },
  );
});

describe('hostile EXIF data', () => {
  it('EXIF data with directories that point at one another is removed before a library reads it', async () => {
    const maze = exifMazeJpeg({ width: 64, height: 64 });
    const pointers = (bytes: Buffer): number => bytes.toString('latin1').split('\x69\x87\x04\0').length - 1;

    expect(pointers(maze)).toBeGreaterThan(1_000);

    const after = simplified(maze);

    expect(pointers(after)).toBe(0);
    expect((await sharp(after).metadata()).width).toBe(64);
  });

  it.each([
    { what: 'nothing', tiff: Buffer.alloc(0) },
    { what: 'a header alone', tiff: Buffer.from('II*\0', 'latin1') },
    { what: 'a directory beyond the end', tiff: Buffer.from('II*\0\xff\xff\xff\xff\0\0\0\0', 'latin1') },
    { what: '65,535 entries that are not there', tiff: Buffer.from('MM\0*\0\0\0\x08\xff\xff\0\0', 'latin1') },
  ])('EXIF data counts as upright when it is $what', ({ tiff }) => {
    expect(orientationOf(tiff)).toBe(1);
  });
});
