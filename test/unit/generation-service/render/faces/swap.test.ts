import { expect, it } from 'vitest';
import { type Canvas, createCanvas, type Rgb } from '../../../../../src/generation-service/render/canvas.ts';
import { canonicalPoints } from '../../../../../src/generation-service/render/faces/mesh.ts';
import { swapFaces } from '../../../../../src/generation-service/render/faces/swap.ts';

const NOSE = 1;
const LEFT_X = 120;
const RIGHT_X = 380;
const MIDDLE_Y = 150;

/** The points of a face in the middle between top and bottom: x, y and depth of each, one after the other. */
function faceAt(middleX: number): Float32Array {
  const points = canonicalPoints.map((value) => value * 10);
  for (let at = 0; at < points.length; at += 3) {
    points[at] = (points[at] ?? Number.NaN) + middleX;
    points[at + 1] = (points[at + 1] ?? Number.NaN) + MIDDLE_Y;
  }
  return points;
}

const noseOf = (face: Float32Array) => ({
  x: face[NOSE * 3] ?? Number.NaN,
  y: face[NOSE * 3 + 1] ?? Number.NaN,
});

const left = faceAt(LEFT_X);
const right = faceAt(RIGHT_X);

function paint(canvas: Canvas, x: number, y: number, radius: number, colour: Rgb): void {
  for (let row = Math.round(y - radius); row < y + radius; row += 1)
    for (let column = Math.round(x - radius); column < x + radius; column += 1)
      if (Math.hypot(column - x, row - y) < radius)
        canvas.data.set(colour, (row * canvas.width + column) * 3);
}

function colourAt(canvas: Canvas, x: number, y: number): Rgb {
  const at = (Math.round(y) * canvas.width + Math.round(x)) * 3;
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = canvas.data.subarray(at, at + 3);
  return [red, green, blue];
}

/** The largest difference of two colours in red, green or blue. */
const distance = (one: Rgb, other: Rgb): number =>
  Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1]), Math.abs(one[2] - other[2]));

const light: Rgb = [228, 184, 152];
const dark: Rgb = [112, 74, 52];

/** Two people; the one at the left has a red nose. */
function photoOfTwo(): Canvas {
  const canvas = createCanvas({ width: 500, height: 300 }, '#2060a0');
  paint(canvas, LEFT_X, MIDDLE_Y, 120, light);
  paint(canvas, RIGHT_X, MIDDLE_Y, 120, dark);
  const nose = noseOf(left);
  paint(canvas, nose.x, nose.y, 9, [230, 30, 30]);
  return canvas;
}

it('people get each other’s features in their own skin tone', () => {
  const before = photoOfTwo();

  const after = swapFaces(photoOfTwo(), [right, left]);

  // The red nose has changed sides, and is darker there, as the skin is.
  const leftNose = noseOf(left);
  const rightNose = noseOf(right);
  const [red, green] = colourAt(after, rightNose.x, rightNose.y);
  expect(red / green).toBeGreaterThan(4);
  expect(red).toBeLessThan(170);
  expect(distance(colourAt(after, leftNose.x, leftNose.y), light)).toBeLessThan(25);

  // Cheeks keep the skin tone of their side.
  expect(distance(colourAt(after, leftNose.x - 35, leftNose.y + 20), light)).toBeLessThan(20);
  expect(distance(colourAt(after, rightNose.x - 35, rightNose.y + 20), dark)).toBeLessThan(20);

  // Points away from the faces have not changed.
  expect(colourAt(after, 250, 150)).toEqual(colourAt(before, 250, 150));
  expect(colourAt(after, 120, 40)).toEqual(colourAt(before, 120, 40));
});
