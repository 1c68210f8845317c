import sharp from 'sharp';

/** The type of a file, by its first bytes. */
export const typeOf = (bytes: Uint8Array): string => {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\u0089PNG')) return 'image/png';
  if (head.startsWith('RIFF')) return 'image/webp';
  return head.startsWith('<') ? 'image/svg+xml' : 'image/jpeg';
};

/** A plain photo; the colour tells it apart. */
export const photoOf = (background: string, width = 300, height = 400): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

/** A result as the service makes one. */
export const resultOf = (background: string, width = 60, height = 90): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

/** Bytes that look like a video from outside. */
export const filmOf = (length: number): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom0000isommp42'), Buffer.alloc(length, 7)]);

/** The picture that a job makes where a test is not about it. */
export const made = await resultOf('#e0a010');
export const film = filmOf(99);

/** The colour in the middle, roughly: what re-encoding keeps. */
export const colourOf = async (bytes: Uint8Array): Promise<readonly number[]> => {
  const { channels } = await sharp(bytes).removeAlpha().stats();
  return channels.map(({ mean }) => Math.round(mean / 16));
};
