import { createRequire } from 'node:module';
import sharp from 'sharp';
import { cameraFor, drawView } from './camera.ts';
import { type Canvas, clamp01, readCanvas } from './canvas.ts';
import type { MotionTask, TransitionTask } from './task.ts';
import { transitionFor } from './transition.ts';

// The package is CommonJS with a single global-style export; `require` reads it without an interop guess.
const { createH264MP4Encoder }: typeof import('h264-mp4-encoder') = createRequire(import.meta.url)(
  'h264-mp4-encoder',
);

interface Quality {
  longSide: number;
  framesPerSecond: number;
  /** Lower is better, 10 to 51. */
  quantization: number;
}

const QUALITIES: Record<MotionTask['model'], Quality> = {
  simple: { longSide: 640, framesPerSecond: 12, quantization: 30 },
  advanced: { longSide: 720, framesPerSecond: 15, quantization: 27 },
  performance: { longSide: 960, framesPerSecond: 15, quantization: 24 },
};

const ASPECTS = { '16:9': 16 / 9, '9:16': 9 / 16, '3:2': 3 / 2, '2:3': 2 / 3 };

/** A moving camera over one photo. */
export async function renderMotion(task: MotionTask, inputs: Uint8Array[]): Promise<Uint8Array> {
  const [photo] = inputs;
  if (photo === undefined) throw new Error('there is no photo');
  const quality = QUALITIES[task.model];
  const aspect = task.aspect === 'auto' ? await aspectOf(photo) : ASPECTS[task.aspect];
  const { width, height } = frameSize(aspect, quality.longSide);
  const canvas = await readPhoto(photo, width, height);
  const camera = cameraFor(task.prompt);
  return encodeVideo(width, height, task.seconds, quality, (t, frame) =>
    drawView(canvas, camera(t), frame, width, height),
  );
}

/** A transition from one photo to another while the camera moves. */
export async function renderTransition(task: TransitionTask, inputs: Uint8Array[]): Promise<Uint8Array> {
  const [first, last] = inputs;
  if (first === undefined || last === undefined) throw new Error('two photos are needed');
  const quality = QUALITIES.advanced;
  const { width, height } = frameSize(await aspectOf(first), quality.longSide);
  const from = await readPhoto(first, width, height);
  const to = await readPhoto(last, width, height);
  const transition = transitionFor(task.prompt);
  const other = new Uint8Array(width * height * 4);
  return encodeVideo(width, height, task.seconds, quality, (t, frame) => {
    // The first and the last sixth of the time show one picture alone.
    const done = clamp01((t - 1 / 6) / (4 / 6));
    drawView(from, { x: 0.5, y: 0.5, zoom: 1 + 0.22 * t, turn: 0 }, frame, width, height);
    if (done === 0) return;
    drawView(to, { x: 0.5, y: 0.5, zoom: 1.22 - 0.22 * t, turn: 0 }, other, width, height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const share = transition(x / width, y / height, done);
        const i = (y * width + x) * 4;
        for (let k = i; k < i + 3; k += 1) frame[k] = (frame[k] ?? 0) * (1 - share) + (other[k] ?? 0) * share;
      }
    }
  });
}

async function aspectOf(photo: Uint8Array): Promise<number> {
  const { width, height } = await sharp(photo).metadata();
  return Math.min(2.4, Math.max(1 / 2.4, width / height));
}

/** Even numbers: H.264 stores one colour for two by two pixels. */
function frameSize(aspect: number, longSide: number) {
  const even = (value: number) => Math.max(16, Math.round(value / 2) * 2);
  return aspect >= 1
    ? { width: even(longSide), height: even(longSide / aspect) }
    : { width: even(longSide * aspect), height: even(longSide) };
}

/** Larger than the frame, so that a zoom still shows detail. */
function readPhoto(photo: Uint8Array, width: number, height: number): Promise<Canvas> {
  return readCanvas(
    sharp(photo).resize(Math.round(width * 1.5), Math.round(height * 1.5), {
      fit: 'cover',
      position: 'attention',
    }),
  );
}

async function encodeVideo(
  width: number,
  height: number,
  seconds: number,
  { framesPerSecond, quantization }: Quality,
  draw: (t: number, frame: Uint8Array) => void,
): Promise<Uint8Array> {
  const encoder = await createH264MP4Encoder();
  try {
    encoder.width = width;
    encoder.height = height;
    encoder.frameRate = framesPerSecond;
    encoder.quantizationParameter = quantization;
    encoder.speed = 7;
    encoder.groupOfPictures = framesPerSecond * 2;
    encoder.initialize();
    const frame = new Uint8Array(width * height * 4).fill(255);
    const frames = seconds * framesPerSecond;
    for (let n = 0; n < frames; n += 1) {
      draw(n / (frames - 1), frame);
      encoder.addFrameRgba(frame);
    }
    encoder.finalize();
    return new Uint8Array(encoder.FS.readFile(encoder.outputFilename));
  } finally {
    encoder.delete();
  }
}
