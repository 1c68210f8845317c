import { describe, expect, it } from 'vitest';
import {
  type Canvas,
  createCanvas,
  createMask,
} from '../../../../../src/generation-service/render/canvas.ts';
import { createMorph, type Portrait } from '../../../../../src/generation-service/render/faces/morph.ts';
import { syntheticPoints } from '../../../../people/synthetic-face.ts';

const size = { width: 160, height: 120 };

/** Somebody of one colour, round, before a wall of another colour. */
function portrait(x: number, y: number, height: number, colour: string, wall: string): Portrait {
  const canvas = createCanvas(size, wall);
  const skin = createCanvas(size, colour);
  const person = createMask(size, (px, py) => (Math.hypot(px - x, py - y) < height * 0.7 ? 1 : 0));
  person.forEach((inside, p) => {
    if (inside) canvas.data.set(skin.data.subarray(p * 3, p * 3 + 3), p * 3);
  });
  return { canvas, points: syntheticPoints(x, y, height), person };
}

const from = portrait(50, 60, 50, '#c08060', '#204060');
const to = portrait(110, 60, 50, '#604020', '#80a0c0');

const pixel = ({ data }: Canvas, x: number, y: number) => [
  ...data.subarray((y * 160 + x) * 3, (y * 160 + x) * 3 + 3),
];

const differences = (a: Canvas, b: Canvas) =>
  a.data.filter((value, i) => Math.abs(value - (b.data[i] ?? 0)) > 12).length / a.data.length;

describe('a morph', () => {
  const morph = createMorph(from, to);

  it('a morph begins with the first photo and ends with the last', () => {
    const ends = [from, to].map(({ canvas }, t) =>
      differences(
        morph(t, () => t),
        canvas,
      ),
    );
    expect(Math.max(...ends)).toBeLessThan(0.02);
  });

  it('a morph shows one person between both places, opaque, before both backgrounds', () => {
    const half = morph(0.5, () => 0.5);
    expect(pixel(half, 80, 60)).toEqual([144, 96, 64]);
    expect(pixel(half, 20, 60)).toEqual([80, 112, 144]);
    expect(pixel(half, 140, 60)).toEqual([80, 112, 144]);
    expect(pixel(half, 5, 5)).toEqual([80, 112, 144]);
  });

  it('a morph keeps an outline that only one photo has opaque until it is gone', () => {
    const hair = { ...portrait(80, 60, 50, '#c08060', '#204060') };
    const bald = { ...portrait(80, 60, 50, '#c08060', '#204060') };

    bald.person = createMask(size, (x, y) => (Math.hypot(x - 80, y - 60) < 22 ? 1 : 0));
    const half = createMorph(hair, bald)(0.5, () => 0);

    // 35 and 22 pixels become 28 and a half.
    expect(pixel(half, 80 + 24, 60)).toEqual([192, 128, 96]);
    expect(pixel(half, 80 + 33, 60)).toEqual([32, 64, 96]);
  });
});
