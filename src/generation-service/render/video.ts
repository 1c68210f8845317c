import { createRequire } from 'node:module';
import sharp from 'sharp';
import type { Face } from '../../faces/face.ts';
import { cameraFor, drawView } from './camera.ts';
import { clamp01, readCanvas, type Size } from './canvas.ts';
import { actingFor } from './faces/acting.ts';
import { createLivePhoto } from './faces/live-photo.ts';
import type { Points } from './faces/mesh.ts';
import { boundsOf } from './faces/place.ts';
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
  simple: { longSide: 640, framesPerSecond: 24, quantization: 30 },
  advanced: { longSide: 720, framesPerSecond: 24, quantization: 27 },
  performance: { longSide: 960, framesPerSecond: 24, quantization: 24 },
};

const ASPECTS = { '16:9': 16 / 9, '9:16': 9 / 16, '3:2': 3 / 2, '2:3': 2 / 3 };

/** A moving camera over one photo, whose people move as the sentence asks. */
export async function renderMotion(
  task: MotionTask,
  inputs: Uint8Array[],
  [faces = []]: Face[][],
): Promise<Uint8Array> {
  const [input] = inputs;
  if (input === undefined) throw new Error('there is no photo');
  const quality = QUALITIES[task.model];
  const aspect = task.aspect === 'auto' ? await aspectOf(input) : ASPECTS[task.aspect];
  const { width, height } = frameSize(aspect, quality.longSide);
  const { canvas, people } = await readPhoto(input, width, height, faces);
  const acting = actingFor(task.prompt);
  const actors = people.map((_, index) => acting.person(index, task.seed));
  const live = createLivePhoto(canvas, people);
  const camera =
    people.length === 0 ? cameraFor(task.prompt) : cameraFor(acting.rest, middleOf(canvas, people));
  return encodeVideo(width, height, task.seconds, quality, (t, frame) => {
    const photo = live(actors.map((act) => act(t * task.seconds, task.seconds)));
    drawView(photo, camera(t), frame, width, height);
  });
}

/** A transition from one photo to another while the camera moves. */
export async function renderTransition(task: TransitionTask, inputs: Uint8Array[]): Promise<Uint8Array> {
  const [first, last] = inputs;
  if (first === undefined || last === undefined) throw new Error('two photos are needed');
  const quality = QUALITIES.advanced;
  const { width, height } = frameSize(await aspectOf(first), quality.longSide);
  const { canvas: from } = await readPhoto(first, width, height, []);
  const { canvas: to } = await readPhoto(last, width, height, []);
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
  const { width, height } = (await sharp(photo).metadata()).autoOrient;
  return Math.min(2.4, Math.max(1 / 2.4, width / height));
}

/** Even numbers: H.264 stores one colour for two by two pixels. */
function frameSize(aspect: number, longSide: number) {
  const even = (value: number) => Math.max(16, Math.round(value / 2) * 2);
  return aspect >= 1
    ? { width: even(longSide), height: even(longSide / aspect) }
    : { width: even(longSide * aspect), height: even(longSide) };
}

/** Larger than the frame, so that a zoom still shows detail; with the points of the faces in it. */
async function readPhoto(photo: Uint8Array, width: number, height: number, faces: readonly Face[]) {
  const size = { width: Math.round(width * 1.5), height: Math.round(height * 1.5) };
  const upright = sharp(photo).autoOrient();
  const fit = { ...size, fit: 'cover' } as const;
  if (faces.length === 0)
    return { canvas: await readCanvas(upright.resize({ ...fit, position: 'attention' })), people: [] };
  const { autoOrient } = await sharp(photo).metadata();
  const scale = Math.max(size.width / autoOrient.width, size.height / autoOrient.height);
  const columns = Math.min(autoOrient.width, Math.round(size.width / scale));
  const rows = Math.min(autoOrient.height, Math.round(size.height / scale));
  const { x, y } = middleOf(
    autoOrient,
    faces.map(({ points }) => points),
  );
  const left = Math.round(
    Math.min(autoOrient.width - columns, Math.max(0, x * autoOrient.width - columns / 2)),
  );
  const top = Math.round(Math.min(autoOrient.height - rows, Math.max(0, y * autoOrient.height - rows / 2)));
  const part = upright.extract({ left, top, width: columns, height: rows });
  const people = faces.map(({ points }) =>
    points.map((value, i) => (value - ([left, top, 0][i % 3] ?? 0)) * scale),
  );
  return { canvas: await readCanvas(part.resize({ ...size, fit: 'fill' })), people };
}

/** The middle of all faces, in shares of the picture. */
function middleOf({ width, height }: Size, people: readonly Points[]) {
  const all = people.map(boundsOf);
  const left = Math.min(...all.map((bounds) => bounds.left));
  const right = Math.max(...all.map((bounds) => bounds.right));
  const top = Math.min(...all.map((bounds) => bounds.top));
  const bottom = Math.max(...all.map((bounds) => bounds.bottom));
  return { x: clamp01((left + right) / 2 / width), y: clamp01((top + bottom) / 2 / height) };
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
