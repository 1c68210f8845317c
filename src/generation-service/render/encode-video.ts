import { createRequire } from 'node:module';
import { blendMark, markFor } from '../../picture/mark.ts';
import type { Size } from './canvas.ts';

// The package is CommonJS with a single global-style export; `require` reads it without guessing the interop.
const { createH264MP4Encoder }: typeof import('h264-mp4-encoder') = createRequire(import.meta.url)(
  'h264-mp4-encoder',
);

export interface Quality {
  longSide: number;
  framesPerSecond: number;
  /** H.264 quantization from 10 to 51; lower is better. */
  quantization: number;
}

const KEY_FRAME_SECONDS = 2;

/** Encodes a video in H.264; `draw` draws the frame for each time from 0 to 1, and `hasMark` adds the visible mark to each. */
export async function encodeVideo(
  { width, height }: Size,
  seconds: number,
  { framesPerSecond, quantization }: Quality,
  draw: (t: number, frame: Uint8Array) => void,
  hasMark = false,
): Promise<Uint8Array> {
  const mark = hasMark ? markFor({ width, height }) : undefined;
  const encoder = await createH264MP4Encoder();
  try {
    encoder.width = width;
    encoder.height = height;
    encoder.frameRate = framesPerSecond;
    encoder.quantizationParameter = quantization;
    encoder.speed = 7;
    encoder.groupOfPictures = framesPerSecond * KEY_FRAME_SECONDS;
    encoder.initialize();
    const frame = new Uint8Array(width * height * 4).fill(255);
    const frames = seconds * framesPerSecond;
    for (let n = 0; n < frames; n += 1) {
      draw(n / (frames - 1), frame);
      if (mark !== undefined) blendMark(mark, frame, { width, channels: 4 });
      encoder.addFrameRgba(frame);
    }
    encoder.finalize();
    const film = Buffer.from(encoder.FS.readFile(encoder.outputFilename));
    return withKeyFrames(film, frames, framesPerSecond * KEY_FRAME_SECONDS);
  } finally {
    encoder.delete();
  }
}

/** Adds the list of key frames (box `stss`), which the encoder omits. Without it, players show a wrong frame after seeking. */
function withKeyFrames(film: Buffer, frames: number, every: number): Uint8Array {
  const count = Math.ceil(frames / every);
  const list = Buffer.alloc(16 + count * 4);
  list.writeUInt32BE(list.length, 0);
  list.write('stss', 4);
  list.writeUInt32BE(count, 12);
  for (let n = 0; n < count; n += 1) list.writeUInt32BE(n * every + 1, 16 + n * 4);
  let at = 0;
  let end = film.length;
  // The sizes of all enclosing boxes grow; the frame data is before them, so its offsets stay valid.
  for (const name of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
    while (film.toString('latin1', at + 4, at + 8) !== name) at += film.readUInt32BE(at);
    end = at + film.readUInt32BE(at);
    film.writeUInt32BE(end - at + list.length, at);
    at += 8;
  }
  return Buffer.concat([film.subarray(0, end), list, film.subarray(end)]);
}
