import { type Canvas, copyCanvas, drawLayer, type Operation, type RenderContext } from './canvas.ts';
import * as frames from './operations/frames.ts';
import * as ink from './operations/ink.ts';
import * as light from './operations/light.ts';
import * as scatter from './operations/scatter.ts';
import * as strokes from './operations/strokes.ts';
import * as tiles from './operations/tiles.ts';
import * as tone from './operations/tone.ts';
import * as warp from './operations/warp.ts';
import type { Scene } from './scenes/scene.ts';

/** Every operation by its name: these modules export nothing else. */
const operations = {
  ...frames,
  ...ink,
  ...light,
  ...scatter,
  ...strokes,
  ...tiles,
  ...tone,
  ...warp,
};

type Name = keyof typeof operations;
type Parameters = { [N in Name]: (typeof operations)[N] extends Operation<infer P> ? P : never };

/** An operation with its parameters; with an `opacity` below 1 some of the previous picture remains. */
export type Step = { [N in Name]: Pick<Parameters, N> & { opacity?: number } }[Name];

export async function applySteps(
  start: Canvas,
  steps: readonly Step[],
  context: RenderContext,
): Promise<Canvas> {
  let canvas = start;
  for (const step of steps) {
    const before = step.opacity === undefined ? undefined : copyCanvas(canvas);
    for (const name of Object.keys(step).filter(isName)) canvas = await apply(name, step, canvas, context);
    if (before === undefined) continue;
    const mask = new Float32Array(canvas.width * canvas.height).fill(step.opacity ?? 1);
    canvas = drawLayer(before, canvas, mask);
  }
  return canvas;
}

const isName = (name: string): name is Name => name in operations;

const table: { [N in Name]: Operation<Parameters[N]> } = operations;

function apply<N extends Name>(name: N, step: Partial<Parameters>, canvas: Canvas, context: RenderContext) {
  const parameters = step[name];
  return parameters === undefined ? canvas : table[name](canvas, parameters, context);
}

/** The steps of filters, by their names. */
export type FilterTable = Record<string, readonly Step[]>;

export interface Filter {
  /** A key that is unique among all tables, such as `face/12`. */
  key: string;
  id: number;
  name: string;
  /** Whether the filter takes photos of several people. */
  isForGroups: boolean;
  steps: readonly Step[];
  /** The scene that the person is put into; the photo must show a face. */
  scene?: Scene;
  /** The people of the photo get each other's faces first; it must show two. */
  swapsFaces?: true;
}
