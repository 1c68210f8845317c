import { describe, expect, it } from 'vitest';
import { type Canvas, createCanvas } from '../../../../../src/generation-service/render/canvas.ts';
import { createLivePhoto } from '../../../../../src/generation-service/render/faces/live-photo.ts';
import { EYES, type Points } from '../../../../../src/generation-service/render/faces/mesh.ts';
import { CALM, syntheticPoints } from '../../../../people/synthetic-face.ts';

const size = { width: 320, height: 340 };
const face = syntheticPoints(160, 170, 120);
const y = (points: Points, point: number) => points[point * 3 + 1] ?? Number.NaN;
const x = (points: Points, point: number) => points[point * 3] ?? Number.NaN;

/** Skin with a slow change of colour, so that every move is seen, and white eyes. */
function drawn(): Canvas {
  const canvas = createCanvas(size);
  for (let p = 0; p < size.width * size.height; p += 1)
    canvas.data.set([150 + (p % size.width) / 4, 110 + p / size.width / 4, 90], p * 3);
  for (const { upper, lower } of EYES)
    for (const place of [2, 3, 4, 5, 6]) {
      const top = upper[place] ?? Number.NaN;
      const bottom = lower[place] ?? Number.NaN;
      for (let row = Math.ceil(y(face, top)); row <= y(face, bottom); row += 1)
        for (let column = Math.round(x(face, top)) - 2; column < x(face, top) + 2; column += 1)
          canvas.data.fill(255, (row * size.width + column) * 3, (row * size.width + column) * 3 + 3);
    }
  return canvas;
}

describe('a live photo', () => {
  const photo = drawn();
  const draw = createLivePhoto(photo, [face]);

  /** The largest change of a colour value from the photo to this canvas, in the pixels that are asked for. */
  const largestChange = (canvas: Canvas, where: (x: number, y: number) => boolean) => {
    let most = 0;
    canvas.data.forEach((value, i) => {
      const p = Math.floor(i / 3);
      if (where(p % size.width, Math.floor(p / size.width)))
        most = Math.max(most, Math.abs(value - (photo.data[i] ?? 0)));
    });
    return most;
  };

  it('a live photo is the photo when nobody is in it', () => {
    expect(createLivePhoto(photo, [])([])).toEqual(photo);
  });

  it('a live photo changes nothing away from the face, and is the photo when the face is calm again', () => {
    const loud = { ...CALM, smile: 1, open: 1, yaw: 0.16, lids: [1, 1] as const };
    const frame = draw([loud]);
    const isFar = (px: number, py: number) => Math.hypot(px - 160, py - 170) > 135;

    expect(largestChange(frame, () => true)).toBeGreaterThan(60);
    expect(largestChange(frame, isFar)).toBe(0);
    expect(largestChange(draw([CALM]), () => true)).toBeLessThanOrEqual(1);
  });

  it('a live photo paints lids of skin over the eyes', () => {
    const frame = draw([{ ...CALM, lids: [1, 0] }]);

    // Skin has little blue, and the white of an eye has all of it.
    const [closed, open] = EYES.map(({ upper, lower }) => {
      const top = upper[4] ?? Number.NaN;
      const bottom = lower[4] ?? Number.NaN;
      const row = Math.round((y(face, top) + y(face, bottom)) / 2);
      const column = Math.round(x(face, top));
      return frame.data[(row * size.width + column) * 3 + 2];
    });

    expect(closed).toBeLessThan(120);
    expect(open).toBe(255);
  });

  it.each([
    { px: 900, py: 170 },
    { px: 160, py: 900 },
    { px: -900, py: -900 },
  ])('a live photo does not mind a face that the crop has left out, at $px, $py', ({ px, py }) => {
    const frame = createLivePhoto(photo, [syntheticPoints(px, py, 80)])([
      { ...CALM, smile: 1, lids: [1, 1] },
    ]);

    expect(largestChange(frame, () => true)).toBe(0);
  });
});
