import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Face } from '../../../../src/faces/face.ts';
import { createFaceFinder } from '../../../../src/faces/finder.ts';
import { asSharp } from '../../../../src/generation-service/render/canvas.ts';
import { renderGroup } from '../../../../src/generation-service/render/picture.ts';
import { groupSceneForPrompt } from '../../../../src/generation-service/render/prompt.ts';
import { realisticScenes, stylizedScenes } from '../../../../src/generation-service/render/scenes/all.ts';
import {
  childrenAmong,
  drawGroup,
  type Member,
  membersOf,
} from '../../../../src/generation-service/render/scenes/draw-group.ts';
import type { Scene } from '../../../../src/generation-service/render/scenes/scene.ts';
import { alignedPatch, likeness } from '../../../people/likeness.ts';

const finder = createFaceFinder();
let photo = Buffer.alloc(0);
let found: Face[] = [];
let five: Member[] = [];
let patches: Float32Array[] = [];
let average = new Float32Array();

beforeAll(async () => {
  photo = await readFile(new URL('../../../../src/generation-service/samples/group.jpg', import.meta.url));
  found = await finder.find(photo);
  five = membersOf([photo], [found]);
  patches = await Promise.all(five.map(({ face }) => alignedPatch(photo, face)));
  const sum = (i: number) => patches.reduce((total, patch) => total + (patch[i] ?? 0), 0);
  average = Float32Array.from(patches[0] ?? [], (_, i) => sum(i) / patches.length);
}, 60_000);

afterAll(() => finder.close());

const fromLeft = (faces: readonly Face[]) => faces.toSorted((a, b) => a.box.left - b.box.left);
const draw = (scene: Scene, key: string, width: number, members: readonly Member[], all?: number) =>
  drawGroup({ scene, key, size: { width, height: (width * 2) / 3 }, dress: {}, seed: 1 }, members, all);

describe.each(Object.entries({ ...realisticScenes, ...stylizedScenes }))('%s', (name, scene) => {
  it('shows everybody of the photo, from left to right, each like themselves, the child smaller', async () => {
    const picture = await asSharp(await draw(scene, name, 1200, five))
      .png()
      .toBuffer();
    const shown = fromLeft(await finder.find(picture));
    expect(shown).toHaveLength(5);
    const alike = await Promise.all(
      shown.map(async (face) => {
        const patch = await alignedPatch(picture, face);
        return patches.map((own) => likeness(patch, own, average));
      }),
    );
    const of = (n: number, other: number) => alike[n]?.[other] ?? 0;
    for (let n = 0; n < 5; n += 1) {
      expect(of(n, n), `person ${n}`).toBeGreaterThan(0.1);
      // No two of them would fit better the other way round.
      for (let other = 0; other < n; other += 1)
        expect(of(n, n) + of(other, other), `${n} and ${other}`).toBeGreaterThan(of(n, other) + of(other, n));
    }
    const heights = shown.map(({ box }) => box.height);
    expect(heights.indexOf(Math.min(...heights))).toBe(2);
    expect(heights[2]).toBeLessThan(0.9 * Math.min(...heights.toSpliced(2, 1)));
  });

  it('is drawn with one, two and more people', async () => {
    const pictures = [];
    for (const count of [1, 2, 5, 7]) {
      const members = membersOf([photo, photo], [found, found.slice(0, Math.max(0, count - 5))]);
      const canvas = await draw(scene, name, 240, members.slice(0, count), count);
      expect(canvas).toMatchObject({ width: 240, height: 160 });
      pictures.push(Buffer.from(canvas.data).toString('base64'));
    }
    expect(new Set(pictures).size).toBe(4);
  });
});

const at = (left: number, height: number): Face => ({
  points: new Float32Array(1_404),
  box: { left, top: 0, width: height, height },
  score: 1,
  pose: { yaw: 0, pitch: 0, roll: 0 },
});

describe('the people of a group', () => {
  it('are those with the six largest faces, photo by photo and from left to right', () => {
    const [a, b] = [Buffer.from('a'), Buffer.from('b')];
    const first = [at(500, 90), at(0, 80), at(200, 70), at(900, 20), at(700, 60)];
    const second = [at(300, 85), at(50, 30), at(100, 75)];
    expect(
      membersOf([a, b], [first, second]).map(({ photo: of, face }) => [String(of), face.box.left]),
    ).toEqual([
      ['a', 0],
      ['a', 200],
      ['a', 500],
      ['a', 700],
      ['b', 100],
      ['b', 300],
    ]);
  });

  it('are grown-ups or children by the proportions of their faces', () => {
    expect(childrenAmong(five.map(({ face }) => face))).toEqual([false, false, true, false, false]);
  });
});

describe('prompts for groups', () => {
  const task = { kind: 'group', look: 'realistic', outpaint: false, seed: 1 } as const;
  const sizeOf = async (picture: Uint8Array) => {
    const { width, height } = await sharp(picture).metadata();
    return [width, height];
  };

  it.each([
    ['us as pirates', 'realistic/22'],
    ['in space', 'realistic/21'],
    ['als Ritter der Tafelrunde', 'realistic/24'],
    ['como magos', 'stylized/25'],
    ['un groupe de vikings', 'stylized/24'],
    ['uma banda de rock, a rock band', 'stylized/23'],
  ])('%s leads to %s', (prompt, key) => {
    expect(groupSceneForPrompt(prompt)?.key).toBe(key);
  });

  it('are drawn with the people, wider with outpaint, and painted where there is nobody', async () => {
    const two = [found.slice(0, 2)];
    const scene = await renderGroup({ ...task, prompt: 'in space' }, [photo], two);
    expect(await sizeOf(scene)).toEqual([1800, 1200]);
    expect(await renderGroup({ ...task, filter: 'realistic/21' }, [photo], two)).toEqual(scene);
    const wide = await renderGroup({ ...task, outpaint: true, filter: 'realistic/21' }, [photo], two);
    expect(await sizeOf(wide)).toEqual([2400, 1200]);
    const nobody = await renderGroup({ ...task, prompt: 'in space' }, [photo], [[]]);
    expect(nobody).not.toEqual(scene);
  });
});
