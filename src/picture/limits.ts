import { PictureRefused } from './refused.ts';

/**
 * What one file may hold. Each of these multiplies the work of a decoder without making the picture any larger; ordinary
 * files stay far below them.
 */
export const limits = {
  /** Encoders write about ten; each one goes over the whole picture again. */
  jpegScans: 64,
  /** A file of 20 MB whose metadata are in pieces of 64 KB has 320. */
  jpegSegments: 1_024,
  /** Bytes that look like a marker. In compressed data one in 256 does, which is 80,000 in 20 MB. */
  jpegStops: 500_000,
  /** libpng writes pixels in pieces of 8 KB; some encoders write a piece for each row. */
  pngChunks: 20_000,
  /** Frames are looked up one by one from the first, so that the work grows with the square of their number. */
  webpFrames: 1_000,
  webpChunks: 4_096,
  /** The largest profiles of printing presses have 3 MB. */
  profileBytes: 4 * 1024 * 1024,
  /** Compressed text in a PNG, which may become a thousand times as large. */
  packedTextBytes: 1024 * 1024,
  /** What interlaced and progressive pictures need in memory as a whole before the first row is known. */
  bufferedBytes: 256 * 1024 * 1024,
} as const;

export const within = (limit: keyof typeof limits, value: number): void => {
  if (value > limits[limit]) throw new PictureRefused('too-complex', limit);
};
