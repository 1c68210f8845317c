import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Canvas, createCanvas, type Mask } from '../../../../../src/generation-service/render/canvas.ts';
import { exposureTowards, lightFace } from '../../../../../src/generation-service/render/faces/light.ts';
import { type Points, trianglesInOrder } from '../../../../../src/generation-service/render/faces/mesh.ts';
import {
  drawFace,
  placeFace,
  readFace,
  turnPoints,
} from '../../../../../src/generation-service/render/faces/place.ts';
import { warpMesh } from '../../../../../src/generation-service/render/faces/warp.ts';
import { syntheticPoints } from './synthetic-face.ts';

const FRONT = { yaw: 0, pitch: 0, roll: 0 };
const [NOSE, FOREHEAD, CHIN, LEFT, RIGHT] = [1, 10, 152, 234, 454];
const x = (points: Points, point: number) => points[point * 3] ?? Number.NaN;
const y = (points: Points, point: number) => points[point * 3 + 1] ?? Number.NaN;

describe('a placed face', () => {
  it('has the height and the place of the seat, whatever the photo was like', () => {
    const tilted = turnPoints(syntheticPoints(0, 0, 300), { yaw: 0.5, pitch: -0.2, roll: 0.4 });
    const placed = placeFace({ points: tilted }, { centre: { x: 70, y: 90 }, height: 100 });
    expect(y(placed, CHIN) - y(placed, FOREHEAD)).toBeCloseTo(100, 3);
    expect(x(placed, CHIN)).toBeCloseTo(70, 0);
    expect((y(placed, CHIN) + y(placed, FOREHEAD)) / 2).toBeCloseTo(90, 3);
    expect(x(placed, LEFT) + x(placed, RIGHT)).toBeCloseTo(140, 0);
    expect(x(placed, NOSE)).toBeCloseTo(70, 0);
  });

  it('looks to the right, down, and tilts clockwise where it is turned', () => {
    const nose = (pose: typeof FRONT) => turnPoints(syntheticPoints(0, 0, 100), pose);
    expect(x(nose({ ...FRONT, yaw: 0.4 }), NOSE)).toBeGreaterThan(5);
    expect(y(nose({ ...FRONT, pitch: 0.4 }), NOSE)).toBeGreaterThan(y(nose(FRONT), NOSE) + 5);
    expect(x(nose({ ...FRONT, roll: 0.4 }), FOREHEAD)).toBeGreaterThan(5);
  });

  it('fills a cheek that the photo hides from the other one', () => {
    const size = { width: 100, height: 120 };
    // A face of skin that looks to the left, before a blue wall.
    const points = turnPoints(syntheticPoints(0, 0, 100), { ...FRONT, yaw: -0.6 });
    points.forEach((value, i) => {
      points[i] = value + ([50, 60, 0][i % 3] ?? 0);
    });
    const canvas = createCanvas(size, '#0000ff');
    const skin = createCanvas(size, '#c89878');
    warpMesh(canvas, { source: skin, from: points, to: points, triangles: trianglesInOrder(points) });
    const to = placeFace({ points }, { centre: { x: 50, y: 60 }, height: 100 });
    const wall = (draw: (target: Canvas, mask: Mask) => void) => {
      const target = createCanvas(size);
      const mask = new Float32Array(size.width * size.height);
      draw(target, mask);
      return mask.filter((drawn, p) => drawn > 0 && (target.data[p * 3 + 2] ?? 0) > 180).length;
    };
    const plain = { source: canvas, from: points, to, triangles: trianglesInOrder(to) };
    expect(wall((target, mask) => warpMesh(target, plain, mask))).toBeGreaterThan(80);
    expect(wall((target, mask) => drawFace(target, { canvas, points }, to, { mask }))).toBeLessThan(30);
  });

  it('is read from the photo as large as it is needed', async () => {
    const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#c89878' } })
      .png()
      .toBuffer();
    const points = syntheticPoints(300, 150, 200);
    const box = { left: 0, top: 0, width: 1, height: 1 };
    const { canvas, points: inside } = await readFace(photo, { points, box, score: 1, pose: FRONT }, 50);
    expect(y(inside, CHIN) - y(inside, FOREHEAD)).toBeGreaterThan(40);
    expect(y(inside, CHIN) - y(inside, FOREHEAD)).toBeLessThan(55);
    expect(x(inside, NOSE)).toBeLessThan(canvas.width);
  });
});

describe('light', () => {
  const points = syntheticPoints(0, 0, 100);

  it('is brighter on the side of the lamp, and about 1 on average', () => {
    const light = lightFace(points, { direction: [-1, 0, -1], ambient: 0.4, colour: [255, 220, 180] });
    expect(light[LEFT * 3]).toBeGreaterThan((light[RIGHT * 3] ?? 0) * 1.5);
    expect(light[NOSE * 3]).toBeGreaterThan(light[NOSE * 3 + 2] ?? 9);
    expect(light.reduce((total, value) => total + value, 0) / light.length).toBeCloseTo(1, 1);
  });

  it('moves a face half way to the brightness of the scene and hardly to its colour', () => {
    const [r, g, b] = exposureTowards([200, 150, 120], [20, 30, 90]);
    expect(g).toBeLessThan(0.75);
    expect(b / r).toBeLessThan(1.14);
    expect(exposureTowards([90, 60, 40], [90, 60, 40])).toEqual([1, 1, 1]);
  });
});
