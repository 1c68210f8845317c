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
    for (const column of [2, 3, 4, 5, 6]) {
      const a = upper[column] ?? 0;
      const b = lower[column] ?? 0;
      for (let row = Math.ceil(y(face, a)); row <= y(face, b); row += 1)
        for (let column = Math.round(x(face, a)) - 2; column < x(face, a) + 2; column += 1)
          canvas.data.fill(255, (row * size.width + column) * 3, (row * size.width + column) * 3 + 3);
    }
  return canvas;
}

describe('a live photo', () => {
  const photo = drawn();
  const draw = createLivePhoto(photo, [face]);

  const differences = (canvas: Canvas, where: (x: number, y: number) => boolean) => {
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

    expect(differences(frame, () => true)).toBeGreaterThan(60);
    expect(differences(frame, isFar)).toBe(0);
    expect(differences(draw([CALM]), () => true)).toBeLessThanOrEqual(1);
  });

  it('a live photo paints lids of skin over the eyes', () => {
    const frame = draw([{ ...CALM, lids: [1, 0] }]);
    const [left, right] = EYES.map(({ upper, lower }) => {
      const row = Math.round(y(face, upper[4] ?? 0) * 0.5 + y(face, lower[4] ?? 0) * 0.5);
      return (row * size.width + Math.round(x(face, upper[4] ?? 0))) * 3;
    });
    expect(frame.data[(left ?? 0) + 2]).toBeLessThan(120);
    expect(frame.data[(right ?? 0) + 2]).toBe(255);
  });

  it.each([
    { px: 900, py: 170 },
    { px: 160, py: 900 },
    { px: -900, py: -900 },
  ])('a live photo does not mind a face that the crop has left out, at $px, $py', ({ px, py }) => {
    const frame = createLivePhoto(photo, [syntheticPoints(px, py, 80)])([
      { ...CALM, smile: 1, lids: [1, 1] },
    ]);
    expect(differences(frame, () => true)).toBe(0);
  });
});
