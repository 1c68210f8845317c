// @module-tag slow
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import type { Face } from '../../../../../src/faces/face.ts';
import { createFaceFinder } from '../../../../../src/faces/finder.ts';
import { asSharp, readCanvas } from '../../../../../src/generation-service/render/canvas.ts';
import type { Expression } from '../../../../../src/generation-service/render/faces/expression.ts';
import { createLivePhoto } from '../../../../../src/generation-service/render/faces/live-photo.ts';
import { type PersonName, photoOf } from '../../../../people/people.ts';
import { CALM } from '../../../../people/synthetic-face.ts';

const finder = createFaceFinder();
afterAll(() => finder.close());

const distance = ({ points }: Face, a: number, b: number) =>
  Math.hypot(
    (points[a * 3] ?? 0) - (points[b * 3] ?? 0),
    (points[a * 3 + 1] ?? 0) - (points[b * 3 + 1] ?? 0),
  );

const y = ({ points }: Face, point: number) => points[point * 3 + 1] ?? 0;
/** Measures in distances between the eyes, the same whatever the face does. */
const between = (face: Face) => distance(face, 33, 263);
const eye = (face: Face) => distance(face, 159, 145) / between(face);
const mouth = (face: Face) => distance(face, 13, 14) / between(face);

/** How high the corners of the mouth are above the middle of the lips. */
const corners = (face: Face) =>
  ((y(face, 0) + y(face, 17)) / 2 - (y(face, 61) + y(face, 291)) / 2) / between(face);

const brows = (face: Face) => (distance(face, 105, 159) + distance(face, 334, 386)) / between(face);

/** The faces that the real finder sees in frames of a video. */
async function createActor(name: PersonName) {
  const photo = await photoOf(name);
  const [face] = await finder.find(photo);
  if (face === undefined) throw new Error(`there is no face in the photo of ${name}`);
  const draw = createLivePhoto(await readCanvas(sharp(photo)), [face.points]);
  return async (expression: Partial<Expression>): Promise<Face> => {
    const frame = await asSharp(draw([{ ...CALM, ...expression }]))
      .png()
      .toBuffer();
    const [found] = await finder.find(frame);
    if (found === undefined) throw new Error(`nobody would know ${name} in this frame`);
    return found;
  };
}

/** A beard, glasses, a child, closed lips. */
describe.each(['kofi', 'rosa', 'tilda', 'noor'] as const)('%s', (name) => {
  it(`the face of ${name} does what the expression says, as somebody who sees it would say`, async () => {
    const faceWith = await createActor(name);
    const calm = await faceWith({});
    expect(corners(await faceWith({ smile: 1 }))).toBeGreaterThan(corners(calm) + 0.015);
    expect(mouth(await faceWith({ open: 1 }))).toBeGreaterThan(mouth(calm) + 0.03);
    expect(brows(await faceWith({ brows: 1 }))).toBeGreaterThan(brows(calm) + 0.005);
    expect(eye(await faceWith({ lids: [1, 1] }))).toBeLessThan(eye(calm) * 0.75);
    expect((await faceWith({ yaw: 0.16 })).pose.yaw).toBeGreaterThan(calm.pose.yaw + 0.06);
    expect((await faceWith({ yaw: -0.16 })).pose.yaw).toBeLessThan(calm.pose.yaw - 0.06);
    expect((await faceWith({ pitch: 0.14 })).pose.pitch).toBeGreaterThan(
      (await faceWith({ pitch: -0.14 })).pose.pitch + 0.06,
    );
  });
});
