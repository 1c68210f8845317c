import { expect, it } from 'vitest';
import { type Canvas, createCanvas, type Rgb } from '../../../../../src/generation-service/render/canvas.ts';
import { canonicalPoints } from '../../../../../src/generation-service/render/faces/mesh.ts';
import { swapFaces } from '../../../../../src/generation-service/render/faces/swap.ts';

const NOSE = 1;

const faceAt = (x: number): Float32Array =>
  canonicalPoints.map((value, i) => value * 10 + ([x, 150, 0][i % 3] ?? 0));

const left = faceAt(120);
const right = faceAt(380);

function paint(canvas: Canvas, x: number, y: number, radius: number, colour: Rgb): void {
  for (let row = Math.round(y - radius); row < y + radius; row += 1)
    for (let column = Math.round(x - radius); column < x + radius; column += 1)
      if (Math.hypot(column - x, row - y) < radius)
        canvas.data.set(colour, (row * canvas.width + column) * 3);
}

const colourAt = (canvas: Canvas, x: number, y: number): readonly number[] => [
  ...canvas.data.subarray((Math.round(y) * canvas.width + Math.round(x)) * 3).slice(0, 3),
];

const far = (a: readonly number[], b: Rgb): number =>
  Math.max(...a.map((value, k) => Math.abs(value - (b[k] ?? 0))));

const light: Rgb = [228, 184, 152];
const dark: Rgb = [112, 74, 52];

/** Two people; the one at the left has a red nose. */
function photoOfTwo(): Canvas {
  const canvas = createCanvas({ width: 500, height: 300 }, '#2060a0');
  paint(canvas, 120, 150, 120, light);
  paint(canvas, 380, 150, 120, dark);
  paint(canvas, left[NOSE * 3] ?? 0, left[NOSE * 3 + 1] ?? 0, 9, [230, 30, 30]);
  return canvas;
}

it('people get each other’s features in their own skin tone', () => {
  const before = photoOfTwo();
  const after = swapFaces(photoOfTwo(), [right, left]);
  const [x = 0, y = 0] = left.subarray(NOSE * 3);
  const rightNose = colourAt(after, x + 260, y);
  const leftNose = colourAt(after, x, y);

  // The red nose has changed sides, and is as red as skin is dark there.
  expect((rightNose[0] ?? 0) / (rightNose[1] ?? 1)).toBeGreaterThan(4);
  expect(rightNose[0]).toBeLessThan(170);
  expect(far(leftNose, light)).toBeLessThan(25);
  expect(far(colourAt(after, x - 35, y + 20), light)).toBeLessThan(20);
  expect(far(colourAt(after, x + 225, y + 20), dark)).toBeLessThan(20);
  // Points away from the faces have not changed.
  expect(colourAt(after, 250, 150)).toEqual(colourAt(before, 250, 150));
  expect(colourAt(after, 120, 40)).toEqual(colourAt(before, 120, 40));
});
