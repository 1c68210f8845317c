import { describe, expect, it } from 'vitest';
import {
  type Canvas,
  createCanvas,
  createMask,
} from '../../../../../src/generation-service/render/canvas.ts';
import { createMorph, type Portrait } from '../../../../../src/generation-service/render/faces/morph.ts';
import { syntheticPoints } from '../../../../people/synthetic-face.ts';

const size = { width: 160, height: 120 };

interface RoundPerson {
  readonly x: number;
  readonly y: number;
  readonly height: number;
  readonly colour: string;
  readonly wall: string;
}

/** A portrait of a round person of one colour before a wall of another colour. */
function portrait({ x, y, height, colour, wall }: RoundPerson): Portrait {
  const canvas = createCanvas(size, wall);
  const skin = createCanvas(size, colour);
  const person = createMask(size, (px, py) => (Math.hypot(px - x, py - y) < height * 0.7 ? 1 : 0));
  person.forEach((inside, p) => {
    if (inside) canvas.data.set(skin.data.subarray(p * 3, p * 3 + 3), p * 3);
  });
  return { canvas, points: syntheticPoints(x, y, height), person };
}

const from = portrait({ x: 50, y: 60, height: 50, colour: '#c08060', wall: '#204060' });
const to = portrait({ x: 110, y: 60, height: 50, colour: '#604020', wall: '#80a0c0' });

const pixel = ({ data }: Canvas, x: number, y: number) => [
  ...data.subarray((y * 160 + x) * 3, (y * 160 + x) * 3 + 3),
];

const differences = (a: Canvas, b: Canvas) =>
  a.data.filter((value, i) => Math.abs(value - (b.data[i] ?? 0)) > 12).length / a.data.length;

describe('a morph', () => {
  const morph = createMorph(from, to);

  it('a morph begins with the first photo and ends with the last', () => {
    // Both frames are drawn on the same canvas, so the first is compared before the last is drawn.
    const first = morph(0, () => 0);
    const differencesAtBegin = differences(first, from.canvas);
    const last = morph(1, () => 1);
    const differencesAtEnd = differences(last, to.canvas);

    expect(differencesAtBegin).toBeLessThan(0.02);
    expect(differencesAtEnd).toBeLessThan(0.02);
  });

  it('a morph shows one person between both places, opaque, before both backgrounds', () => {
    const half = morph(0.5, () => 0.5);

    expect(pixel(half, 80, 60)).toEqual([144, 96, 64]);
    expect(pixel(half, 20, 60)).toEqual([80, 112, 144]);
    expect(pixel(half, 140, 60)).toEqual([80, 112, 144]);
    expect(pixel(half, 5, 5)).toEqual([80, 112, 144]);
  });

  it('a morph keeps an outline that only one photo has opaque until it is gone', () => {
    const hair = portrait({ x: 80, y: 60, height: 50, colour: '#c08060', wall: '#204060' });
    const person = createMask(size, (x, y) => (Math.hypot(x - 80, y - 60) < 22 ? 1 : 0));
    const bald = { ...hair, person };

    const half = createMorph(hair, bald)(0.5, () => 0);

    // The outlines have radii of 35 and 22 pixels, so the outline half-way has one of 28.5 pixels.
    expect(pixel(half, 80 + 24, 60)).toEqual([192, 128, 96]);
    expect(pixel(half, 80 + 33, 60)).toEqual([32, 64, 96]);
  });
});
