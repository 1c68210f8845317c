import sharp from 'sharp';
import type { Media } from '../../src/command/view.ts';
import { sizeOf } from './picture-size.ts';

type Image = Extract<Media, { kind: 'image' }>;

/** A picture as a view has it. */
export const imageOf = (bytes: Uint8Array, more: Partial<Image> = {}): Image => ({
  kind: 'image',
  bytes,
  type: 'image/jpeg',
  name: 'result.jpg',
  as: 'inline',
  alt: 'A portrait',
  ...(sizeOf(bytes) ?? { width: 100, height: 100 }),
  ...more,
});

/** A small real photograph: every pixel of one colour. */
export const jpeg = async (): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp({ create: { width: 64, height: 96, channels: 3, background: '#c08040' } })
      .jpeg()
      .toBuffer(),
  );

/** The beginning of an MP4 file: as much as anybody looks at here. */
export const mp4 = (): Uint8Array =>
  new Uint8Array(Buffer.from('000000186674797069736f6d0000020069736f6d6d703431', 'hex'));

/** So many bytes that cannot be compressed, which begin like a JPEG file. */
export const noise = (length: number): Uint8Array => {
  let state = 1;
  const bytes = Uint8Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  });
  bytes.set([0xff, 0xd8, 0xff, 0xe0]);
  return bytes;
};
