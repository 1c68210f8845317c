// @module-tag slow
// @module-tag longest
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFaceFinder } from '../../../../src/faces/finder.ts';
import { asSharp, type Size } from '../../../../src/generation-service/render/canvas.ts';
import { customScenes, scenes } from '../../../../src/generation-service/render/scenes/all.ts';
import { drawScene, type Sitter } from '../../../../src/generation-service/render/scenes/draw-scene.ts';
import { DRAWN_GENDERS, type Scene } from '../../../../src/generation-service/render/scenes/scene.ts';
import { alignedPatch, likeness } from '../../../people/likeness.ts';
import { createSitters } from '../../../people/sitters.ts';

const finder = createFaceFinder();
let people: { sitter: Sitter; patch: Float32Array }[] = [];
let average = new Float32Array();

beforeAll(async () => {
  const sitters = await createSitters();
  sitters.close();
  people = await Promise.all(
    sitters.all
      .filter(({ name }) => ['mara', 'kofi', 'lena', 'rosa', 'tilda'].includes(name))
      .map(async (sitter) => ({ sitter, patch: await alignedPatch(sitter.photo, sitter.face) })),
  );
  const sum = (i: number) => people.reduce((total, { patch }) => total + (patch[i] ?? 0), 0);
  average = Float32Array.from(people[0]?.patch ?? [], (_, i) => sum(i) / people.length);
}, 60_000);

afterAll(() => finder.close());

const draw = (scene: Scene, key: string, size: Size, sitter: Sitter) =>
  drawScene({ scene, key, size, changes: {}, seed: 1 }, sitter);

describe.each(Object.entries({ ...scenes, ...customScenes }))('%s', (name, scene) => {
  it(`the scene ${name} shows one person, who is like the one in the photo and not like another`, async () => {
    const own = people[name.length % people.length];

    if (own === undefined) throw new Error('nobody');
    const canvas = await draw(scene, name, { width: 600, height: 900 }, own.sitter);
    const picture = await asSharp(canvas).png().toBuffer();
    const [face, ...more] = await finder.find(picture);
    if (face === undefined) throw new Error('no face was found in the scene');

    expect(more).toEqual([]);

    const patch = await alignedPatch(picture, face);
    const others = people.filter((person) => person !== own);
    const most = Math.max(...others.map((other) => likeness(patch, other.patch, average)));
    // The finder is less exact about a child's mouth.
    const clearly = own.sitter.gender === 'girl' ? 0.1 : 0.2;

    expect(likeness(patch, own.patch, average)).toBeGreaterThan(Math.max(0.1 + clearly, most + clearly));
  });

  it(`the scene ${name} is drawn for every gender, in every proportion`, async () => {
    const [first] = people;

    if (first === undefined) throw new Error('nobody');
    const sizes = [
      { width: 160, height: 240 },
      { width: 240, height: 160 },
      { width: 192, height: 192 },
    ];
    for (const size of sizes) {
      const pictures = [];
      for (const gender of DRAWN_GENDERS) {
        const canvas = await draw(scene, name, size, { ...first.sitter, gender });
        expect(canvas).toMatchObject(size);
        pictures.push(Buffer.from(canvas.data).toString('base64'));
      }
      expect(new Set(pictures).size).toBe(DRAWN_GENDERS.length);
    }
  });
});
