import { describe, expect, it } from 'vitest';
import {
  type Canvas,
  createCanvas,
  createRandom,
} from '../../../../../src/generation-service/render/canvas.ts';
import { lightFactorsFor } from '../../../../../src/generation-service/render/faces/light.ts';
import {
  meshTriangles,
  OVAL,
  trianglesInOrder,
} from '../../../../../src/generation-service/render/faces/mesh.ts';
import { drawFace, placeFace, turnPoints } from '../../../../../src/generation-service/render/faces/place.ts';
import { warpMesh } from '../../../../../src/generation-service/render/faces/warp.ts';
import { syntheticPoints } from '../../../../people/synthetic-face.ts';

const size = { width: 120, height: 150 };
const face = syntheticPoints(60, 75, 110);

function noise(): Canvas {
  const canvas = createCanvas(size);
  const random = createRandom(3);
  for (let i = 0; i < canvas.data.length; i += 1) canvas.data[i] = random() * 256;
  return canvas;
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

it('the mesh covers the face without a hole: 898 triangles whose border is the oval', () => {
  const sides = new Map<string, number>();

  for (let t = 0; t < meshTriangles.length; t += 3)
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      const pair = [meshTriangles[t + from] ?? 0, meshTriangles[t + to] ?? 0].sort((a, b) => a - b);
      sides.set(pair.join(), (sides.get(pair.join()) ?? 0) + 1);
    }
  const border = [...sides]
    .filter(([, count]) => count === 1)
    .flatMap(([pair]) => pair.split(',').map(Number));

  expect(meshTriangles.length / 3).toBe(898);
  expect(new Set(border)).toEqual(new Set(OVAL));
  expect(
    OVAL.every(
      (point, i) => sides.get([point, OVAL[(i + 1) % OVAL.length] ?? 0].sort((a, b) => a - b).join()) === 1,
    ),
  ).toBe(true);
});

describe('a warp', () => {
  it('a warp to the same points leaves the picture as it was, and nothing empty inside of the face', () => {
    const source = noise();
    const target = createCanvas(size);
    const mask = new Float32Array(size.width * size.height);

    warpMesh(target, { source, from: face, to: face, triangles: trianglesInOrder(face) }, mask);
    let differs = 0;
    mask.forEach((drawn, p) => {
      if (drawn === 1)
        differs = Math.max(differs, Math.abs((source.data[p * 3] ?? 0) - (target.data[p * 3] ?? 0)));
    });

    expect(differs).toBeLessThanOrEqual(1);

    // A row without a gap has all pixels between the first and the last one of the face.
    const rows = Array.from({ length: size.height }, (_, y) =>
      mask.subarray(y * size.width, (y + 1) * size.width),
    );
    for (const row of rows.filter((each) => each.includes(1)))
      expect(sum(row)).toBe(row.lastIndexOf(1) - row.indexOf(1) + 1);
    expect(sum(mask)).toBeGreaterThan(6000);
  });

  it.each([Number.NaN, Infinity, -1e9, 1e9])('a warp to hostile points (%d) ends', (value) => {
    const target = createCanvas(size);
    const to = face.map((own, i) => (i % 7 === 0 ? value : own));

    warpMesh(target, { source: noise(), from: to, to, triangles: meshTriangles });

    expect(target.data).toHaveLength(size.width * size.height * 3);
  });
});

it('a placed face fills a cheek that the photo hides from the other one', () => {
  // A face of skin that looks to the left, before a blue wall.
  const turned = turnPoints(syntheticPoints(0, 0, 100), { yaw: -0.6, pitch: 0, roll: 0 });
  const points = turned.map((value, i) => value + ([60, 75, 0][i % 3] ?? 0));
  const canvas = createCanvas(size, '#0000ff');
  const skin = createCanvas(size, '#c89878');

  warpMesh(canvas, { source: skin, from: points, to: points, triangles: trianglesInOrder(points) });
  const to = placeFace({ points }, { centre: { x: 60, y: 75 }, height: 100 });
  const target = createCanvas(size);
  const mask = new Float32Array(size.width * size.height);
  drawFace(target, { canvas, points }, to, { mask });
  const wall = mask.filter((drawn, p) => drawn > 0 && (target.data[p * 3 + 2] ?? 0) > 180);

  expect(sum(mask)).toBeGreaterThan(4000);
  expect(wall.length).toBeLessThan(30);
});

it('a face is brighter on the side of the lamp, and about as bright as before on average', () => {
  const LEFT = 234;
  const RIGHT = 454;
  const light = lightFactorsFor(face, { direction: [-1, 0, -1], ambient: 0.4, colour: [255, 220, 180] });

  expect(light[LEFT * 3]).toBeGreaterThan((light[RIGHT * 3] ?? 0) * 1.5);
  expect(sum(light) / light.length).toBeCloseTo(1, 1);
});
