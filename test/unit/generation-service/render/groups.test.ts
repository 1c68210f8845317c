// @module-tag slow
// @module-tag longest
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Face } from '../../../../src/faces/face.ts';
import { createFaceFinder } from '../../../../src/faces/finder.ts';
import { asSharp } from '../../../../src/generation-service/render/canvas.ts';
import { OVAL } from '../../../../src/generation-service/render/faces/mesh.ts';
import { renderGroup } from '../../../../src/generation-service/render/picture.ts';
import { groupSceneForPrompt } from '../../../../src/generation-service/render/prompt.ts';
import { realisticScenes, stylizedScenes } from '../../../../src/generation-service/render/scenes/all.ts';
import {
  areChildren,
  drawGroup,
  type Member,
  membersOf,
} from '../../../../src/generation-service/render/scenes/draw-group.ts';
import type { Scene } from '../../../../src/generation-service/render/scenes/scene.ts';
import { faceIn } from '../../../people/face-in.ts';
import { alignedPatch, likeness } from '../../../people/likeness.ts';
import { photoOf } from '../../../people/people.ts';

const finder = createFaceFinder();
let photo = Buffer.alloc(0);
let found: Face[] = [];
let six: Member[] = [];
/** Six times the same woman, with a green face. */
let masked: Member[] = [];
let patches: Float32Array[] = [];
let average = new Float32Array();

beforeAll(async () => {
  photo = await readFile(new URL('../../../../src/generation-service/samples/group.jpg', import.meta.url));
  found = await finder.find(photo);
  const photos = await Promise.all(
    (['lena', 'rosa', 'kofi', 'tilda', 'noor', 'otto'] as const).map((name) => photoOf(name)),
  );
  six = membersOf(photos, await Promise.all(photos.map((one) => finder.find(one))));
  const [noor] = await Promise.all(six.slice(4, 5).map(withGreenFace));
  masked = Array.from({ length: 6 }, () => noor ?? []).flat();
  patches = await Promise.all(six.map((member) => alignedPatch(member.photo, member.face)));
  const sum = (i: number) => patches.reduce((total, patch) => total + (patch[i] ?? 0), 0);
  average = Float32Array.from(patches[0] ?? [], (_, i) => sum(i) / patches.length);
}, 60_000);

afterAll(() => finder.close());

async function withGreenFace({ photo: of, face }: Member): Promise<Member> {
  const outline = OVAL.map((point) => face.points.subarray(point * 3, point * 3 + 2).join(','));
  const mask = `<svg xmlns="http://www.w3.org/2000/svg" width="720" height="900"><path d="M${outline.join('L')}Z" fill="#00ff00"/></svg>`;
  return {
    photo: await sharp(of)
      .composite([{ input: Buffer.from(mask) }])
      .toBuffer(),
    face,
  };
}

const fromLeft = (faces: readonly Face[]) => faces.toSorted((a, b) => a.box.left - b.box.left);

const draw = (scene: Scene, key: string, width: number, members: readonly Member[], all?: number) =>
  drawGroup({ scene, key, size: { width, height: (width * 2) / 3 }, changes: {}, seed: 1 }, members, all);

describe.each(Object.entries({ ...realisticScenes, ...stylizedScenes }))('%s', (name, scene) => {
  it(`the group scene ${name} shows everybody from left to right, each most like themselves, the child smaller`, async () => {
    const picture = await asSharp(await draw(scene, name, 1200, six))
      .png()
      .toBuffer();
    const shown = fromLeft(await finder.find(picture));

    expect(shown).toHaveLength(6);

    for (const [n, face] of shown.entries()) {
      const patch = await alignedPatch(picture, face);
      const alike = patches.map((own) => likeness(patch, own, average));
      const others = Math.max(...alike.toSpliced(n, 1));
      expect(alike[n], `person ${n}`).toBeGreaterThan(Math.max(0.2, others + 0.1));
    }
    const heights = shown.map(({ box }) => box.height);

    expect(heights.indexOf(Math.min(...heights))).toBe(3);
    expect(heights[3]).toBeLessThan(0.9 * Math.min(...heights.toSpliced(3, 1)));
  });

  it(`the group scene ${name} hides nobody behind the costume of another`, async () => {
    const canvas = await draw(scene, name, 600, masked);
    const shown: number[] = [0];
    for (let x = 0; x < canvas.width; x += 1) {
      let green = 0;
      for (let i = x * 3; i < canvas.data.length; i += canvas.width * 3)
        if ((canvas.data[i + 1] ?? 0) - Math.max(canvas.data[i] ?? 0, canvas.data[i + 2] ?? 0) > 100)
          green += 1;
      if (green > 0) shown[shown.length - 1] = (shown.at(-1) ?? 0) + green;
      else if (shown.at(-1) !== 0) shown.push(0);
    }
    const faces = shown.filter((pixels) => pixels > 50);

    expect(faces).toHaveLength(6);
    expect(Math.min(...faces)).toBeGreaterThan(0.96 * Math.max(...faces));
  });

  it(`the group scene ${name} is drawn with one, two and more people`, async () => {
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

const at = (left: number, height: number) => faceIn({ left, top: 0, width: height, height });

describe('the people of a group', () => {
  it('the people of a group are those with the six largest faces, photo by photo and from left to right', () => {
    const a = Buffer.from('a');
    const b = Buffer.from('b');
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

  it('the people of a group are grown-ups or children by the proportions of their faces', () => {
    expect(areChildren(fromLeft(found))).toEqual([false, false, true, false, false]);
  });
});

describe('prompts for groups', () => {
  const task = { kind: 'group', look: 'realistic', outpaint: false, seed: 1 } as const;

  const sizeOf = async (picture: Uint8Array) => {
    const { width, height } = await sharp(picture).metadata();
    return [width, height];
  };

  it.each([
    { prompt: 'us as pirates', key: 'realistic/22' },
    { prompt: 'in space', key: 'realistic/21' },
    { prompt: 'als Ritter der Tafelrunde', key: 'realistic/24' },
    { prompt: 'como magos', key: 'stylized/25' },
    { prompt: 'un groupe de vikings', key: 'stylized/24' },
    { prompt: 'uma banda de rock, a rock band', key: 'stylized/23' },
  ])('the prompt for groups $prompt leads to $key', ({ prompt, key }) => {
    expect(groupSceneForPrompt(prompt)?.key).toBe(key);
  });

  it('prompts for groups are drawn with the people, wider with outpaint, and painted where there is nobody', async () => {
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
