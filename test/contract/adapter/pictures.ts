import sharp from 'sharp';

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
