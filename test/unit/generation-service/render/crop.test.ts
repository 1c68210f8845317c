import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { Face } from '../../../../src/faces/face.ts';
import type { Canvas } from '../../../../src/generation-service/render/canvas.ts';
import { coverSize } from '../../../../src/generation-service/render/crop.ts';
import { groupCanvas } from '../../../../src/generation-service/render/group-photo.ts';

/** A white photo with red heads. */
const heads = [
  { left: 20, top: 60, width: 40, height: 50 },
  { left: 480, top: 90, width: 30, height: 40 },
  { left: 540, top: 90, width: 30, height: 40 },
];
const photoOf = (boxes: readonly Face['box'][]): Promise<Buffer> => {
  const drawn = boxes.map(
    ({ left, top, width, height }) =>
      `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#f00"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200">${drawn.join('')}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer();
};
const facesOf = (boxes: readonly Face['box'][]): Face[] =>
  boxes.map((box) => ({
    points: new Float32Array(1_404),
    box,
    score: 1,
    pose: { yaw: 0, pitch: 0, roll: 0 },
  }));

async function redPixels(boxes: readonly Face['box'][]): Promise<number> {
  return redIn(await coverSize(await photoOf(boxes), { width: 200, height: 200 }, facesOf(boxes)));
}

function redIn({ data }: Canvas): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 3) if ((data[i] ?? 0) > 200 && (data[i + 1] ?? 0) < 60) count += 1;
  return count;
}

it('a photo is cut around the faces: no head is cut, wherever it is', async () => {
  const [left, middle, right] = heads;
  if (left === undefined || middle === undefined || right === undefined) throw new Error('unreachable');
  expect(await redPixels([left])).toBe(40 * 50);
  expect(await redPixels([right])).toBe(30 * 40);
  expect(await redPixels([middle, right])).toBe(2 * 30 * 40);
  // Not all fit: the largest is shown whole.
  expect(await redPixels(heads)).toBe(40 * 50);
});

it('photos side by side are cut around their faces, too', async () => {
  const faces = heads.slice(0, 1);
  // Something that catches the eye more than the face does.
  const sign = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><path d="M0 0h300v200z" fill="#fc0"/><path d="M60 0l180 200M240 0L60 200" stroke="#00f" stroke-width="25"/></svg>`;
  const photo = await sharp(await photoOf(faces))
    .extend({ right: 1_800, background: '#fff' })
    .composite([{ input: Buffer.from(sign), left: 2_000, top: 0 }])
    .toBuffer();
  // A third of the sheet's width, and its height is that of the photo.
  const sheet = await groupCanvas([photo, photo, photo], [facesOf(faces), facesOf(faces), facesOf(faces)]);
  const zoom = (sheet.height - 24) / 200;
  expect(redIn(sheet) / (3 * 40 * 50 * zoom ** 2)).toBeCloseTo(1, 1);
});
