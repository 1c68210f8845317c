import { copyCanvas, createCanvas, type Operation, pasteCanvas, resized } from '../canvas.ts';
import { gradientMap } from './tone.ts';

const POP_ART_COLOURS = [
  ['#2b0a5a', '#ff2f7e', '#ffd23f'],
  ['#06325e', '#00a6a6', '#f9f871'],
  ['#5a0a1f', '#ff6b1a', '#7ef9ff'],
  ['#123b0e', '#8bd450', '#ffb3f5'],
  ['#3a0f4f', '#9b5de5', '#fee440'],
  ['#0b2d2b', '#f15bb5', '#caffbf'],
];

/** The picture repeated in a grid, each time in other colours. */
export const popArt: Operation<{ columns: number; rows: number }> = async (canvas, parameters, context) => {
  const { columns, rows } = parameters;
  const width = Math.ceil(canvas.width / columns);
  const height = Math.ceil(canvas.height / rows);
  const small = await resized(canvas, { width, height }, 'cover');
  const result = createCanvas(canvas);
  for (const [n, colours] of POP_ART_COLOURS.slice(0, columns * rows).entries()) {
    const cell = await gradientMap(copyCanvas(small), colours, context);
    pasteCanvas(result, cell, (n % columns) * width, Math.floor(n / columns) * height);
  }
  return result;
};
