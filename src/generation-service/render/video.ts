import sharp from 'sharp';
import type { CutOut, Face } from '../../faces/face.ts';
import { boundsOf, MOST_YAW } from '../../faces/geometry.ts';
import { cameraFor, drawView } from './camera.ts';
import { clamp01, type Size, smoothstep } from './canvas.ts';
import { coveringPart, coverSize, readCrop } from './crop.ts';
import { encodeVideo, type Quality } from './encode-video.ts';
import { actingFor } from './faces/acting.ts';
import { createLivePhoto } from './faces/live-photo.ts';
import type { Points } from './faces/mesh.ts';
import { createMorph, type Portrait } from './faces/morph.ts';
import { hasWordStartingWith, type MotionTask, type TransitionTask } from './task.ts';

const QUALITIES: Record<MotionTask['model'], Quality> = {
  simple: { longSide: 640, framesPerSecond: 24, quantization: 30 },
  advanced: { longSide: 720, framesPerSecond: 24, quantization: 27 },
  performance: { longSide: 960, framesPerSecond: 24, quantization: 24 },
};

const ASPECTS = { '16:9': 16 / 9, '9:16': 9 / 16, '3:2': 3 / 2, '2:3': 2 / 3 };

/** How many faces move, the largest ones; each costs at least a millisecond per frame. */
const MOST_MOVING = 12;

/** Renders a video of one photo with a moving camera; its people move as the prompt asks. */
export async function renderMotion(
  task: MotionTask,
  inputs: Uint8Array[],
  [faces = []]: Face[][],
  hasMark?: boolean,
): Promise<Uint8Array> {
  const [input] = inputs;
  if (input === undefined) throw new Error('there is no photo');
  const quality = QUALITIES[task.model];
  const aspect = task.aspect === 'auto' ? await aspectOf(input) : ASPECTS[task.aspect];
  const size = frameSize(aspect, quality.longSide);
  const { canvas, people } = await readPhoto(input, size, faces);
  // People who are turned too far away do not move.
  const moving = people
    .filter((_, index) => Math.abs(faces[index]?.pose.yaw ?? 0) < MOST_YAW)
    .slice(0, MOST_MOVING);
  const acting = actingFor(task.prompt);
  const actors = moving.map((_, index) => acting.person(index, task.seed));
  const live = createLivePhoto(canvas, moving);
  const camera =
    people.length === 0 ? cameraFor(task.prompt) : cameraFor(acting.rest, middleOf(canvas, people));
  const draw = (t: number, frame: Uint8Array): void => {
    const photo = live(actors.map((act) => act(t * task.seconds, task.seconds)));
    drawView(photo, camera(t), frame, size.width, size.height);
  };
  return encodeVideo(size, task.seconds, quality, draw, hasMark);
}

/** How far the camera moves closer in a transition. */
const CLOSER = 1.22;

/**
 * Renders a transition from one photo to another while the camera moves; if both photos show a person, one becomes the other.
 */
export async function renderTransition(
  task: TransitionTask,
  inputs: Uint8Array[],
  faces: Face[][],
  cutOuts: CutOut[],
  hasMark?: boolean,
): Promise<Uint8Array> {
  const [first, last] = inputs;
  if (first === undefined || last === undefined) throw new Error('two photos are needed');
  const quality = QUALITIES.advanced;
  const size = frameSize(await aspectOf(first), quality.longSide);
  const { width, height } = size;
  const transition = transitionFor(task.prompt);
  // The first and the last sixth of the time show one photo alone.
  const doneAt = (t: number) => clamp01((t - 1 / 6) / (4 / 6));
  const one = await readPortrait(first, size, faces[0], cutOuts[0]);
  const two = await readPortrait(last, size, faces[1], cutOuts[1]);
  if (one !== undefined && two !== undefined) {
    const morph = createMorph(one, two);
    const draw = (t: number, frame: Uint8Array): void => {
      const done = doneAt(t);
      const { canvas } = done === 0 ? one : two;
      const isAlone = done === 0 || done === 1;
      const behind = (x: number, y: number) => transition(x / canvas.width, y / canvas.height, done);
      const zoom = 1 + (CLOSER - 1) * Math.sin(Math.PI * t);
      const photo = isAlone ? canvas : morph(smoothstep(done), behind);
      drawView(photo, { x: 0.5, y: 0.5, zoom, turn: 0 }, frame, width, height);
    };
    return encodeVideo(size, task.seconds, quality, draw, hasMark);
  }
  const { canvas: from } = await readPhoto(first, size, faces[0] ?? []);
  const { canvas: to } = await readPhoto(last, size, faces[1] ?? []);
  const other = new Uint8Array(width * height * 4);
  const draw = (t: number, frame: Uint8Array): void => {
    const done = doneAt(t);
    drawView(from, { x: 0.5, y: 0.5, zoom: 1 + (CLOSER - 1) * t, turn: 0 }, frame, width, height);
    if (done === 0) return;
    drawView(to, { x: 0.5, y: 0.5, zoom: CLOSER - (CLOSER - 1) * t, turn: 0 }, other, width, height);
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const share = transition(x / width, y / height, done);
        const i = (y * width + x) * 4;
        for (let k = i; k < i + 3; k += 1) frame[k] = (frame[k] ?? 0) * (1 - share) + (other[k] ?? 0) * share;
      }
    }
  };
  return encodeVideo(size, task.seconds, quality, draw, hasMark);
}

async function aspectOf(photo: Uint8Array): Promise<number> {
  const { width, height } = (await sharp(photo).metadata()).autoOrient;
  return Math.min(2.4, Math.max(1 / 2.4, width / height));
}

/** The size of a frame, in even numbers: H.264 stores one colour for two by two pixels. */
function frameSize(aspect: number, longSide: number) {
  const even = (value: number) => Math.max(16, Math.round(value / 2) * 2);
  return aspect >= 1
    ? { width: even(longSide), height: even(longSide / aspect) }
    : { width: even(longSide * aspect), height: even(longSide) };
}

/** Reads a photo larger than the frame, so that a zoom still shows detail, with the points of its faces. */
async function readPhoto(photo: Uint8Array, { width, height }: Size, faces: readonly Face[], scale = 1.5) {
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  if (faces.length === 0) return { canvas: await coverSize(photo, size, faces), people: [] };
  const part = await coveringPart(photo, size, faces);
  const people = faces.map(({ points }) =>
    points.map((value, i) => ((value - ([part.left, part.top, 0][i % 3] ?? 0)) * size.width) / part.width),
  );
  return { canvas: await readCrop(photo, size, part), people, part };
}

/** Reads a photo with its largest face and the outline of its people; undefined if one of these is missing. */
async function readPortrait(
  photo: Uint8Array,
  size: Size,
  [face]: readonly Face[] = [],
  cutOut: CutOut | undefined,
): Promise<Portrait | undefined> {
  if (face === undefined || cutOut === undefined) return undefined;
  const { canvas, people, part } = await readPhoto(photo, size, [face], CLOSER);
  const [points] = people;
  if (points === undefined || part === undefined) return undefined;
  const share = cutOut.width / part.whole.width;
  const inside = (value: number, most: number) => Math.min(most, Math.max(1, Math.round(value * share)));
  const left = Math.min(cutOut.width - 1, Math.round(part.left * share));
  const top = Math.min(cutOut.height - 1, Math.round(part.top * share));
  const alpha = await sharp(cutOut.alpha, {
    raw: { width: cutOut.width, height: cutOut.height, channels: 1 },
  })
    .extract({
      left,
      top,
      width: inside(part.width, cutOut.width - left),
      height: inside(part.height, cutOut.height - top),
    })
    .resize({ width: canvas.width, height: canvas.height, fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return { canvas, points, person: Float32Array.from(alpha, (value) => value / 255) };
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

/** The share of the last picture at each pixel, 0 to 1, at the time `t` of the transition. */
type Transition = (u: number, v: number, t: number) => number;

/** An edge that passes over the picture; `at` gives the time at which it reaches a point. */
const sweep =
  (at: (u: number, v: number) => number, softness = 0.18): Transition =>
  (u, v, t) =>
    smoothstep((t * (1 + softness) - at(u, v)) / softness);

const transitionsByWord: [words: RegExp, transition: Transition][] = [
  [/wipe|curtain|slide|swipe|page|pan(s|ning)?\b/, sweep((u) => u)],
  [/circle|iris|bubble|portal|spotlight|zoom/, sweep((u, v) => Math.hypot(u - 0.5, v - 0.5) * 1.4)],
  [/blind|stripe|window/, sweep((u) => (u * 8) % 1, 0.4)],
  [/spin|clock|rotat|turn/, sweep((u, v) => Math.atan2(u - 0.5, v - 0.5) / (2 * Math.PI) + 0.5, 0.1)],
  [
    /melt|drip|rain|pour|fall/,
    sweep((u, v) => v * 0.72 + 0.14 * (1 + Math.sin(u * 23) * Math.sin(u * 7 + 2))),
  ],
  [/dissolve|sparkle|dust|sand|grain|magic|particles/, sweep(blockNoise, 0.12)],
  [/rise|sun|grow|up\b/, sweep((_, v) => 1 - v)],
];

/** A pseudo-random value that is constant within a small block of the picture. */
function blockNoise(u: number, v: number): number {
  const value = Math.sin(Math.floor(u * 60) * 127.1 + Math.floor(v * 80) * 311.7) * 43758.5453;
  return value - Math.floor(value);
}

const crossFade: Transition = (_u, _v, t) => smoothstep(t);

export const transitionFor = (prompt: string): Transition =>
  transitionsByWord.find(([words]) => hasWordStartingWith(prompt, words))?.[1] ?? crossFade;
