import { readFile } from 'node:fs/promises';
import { createFaceFinder } from '../../src/faces/finder.ts';
import type { Sitter } from '../../src/generation-service/render/scenes/draw-scene.ts';
import type { DrawnGender } from '../../src/generation-service/render/scenes/scene.ts';
import { type PersonName, personNames, photoOf } from './people.ts';

const genders: Readonly<Record<PersonName, DrawnGender>> = {
  mara: 'female',
  kofi: 'male',
  lena: 'female',
  rosa: 'female',
  ama: 'female',
  tilda: 'girl',
  noor: 'female',
  otto: 'male',
};

const GROUP = new URL('../../src/generation-service/samples/group.jpg', import.meta.url);

/** The drawn people as a scene takes them, found by the real finder. */
export async function createSitters() {
  const finder = createFaceFinder();
  const all: (Sitter & { name: PersonName })[] = [];
  for (const name of personNames) {
    const photo = await photoOf(name);
    const [face] = await finder.find(photo);
    if (face === undefined) throw new Error(`no face was found in the photo of ${name}`);
    all.push({ name, photo, face, gender: genders[name] });
  }
  const group = await finder.find(await readFile(GROUP));
  return {
    all,
    /** The faces in the drawing of a group. */
    group,
    /** One of them, always the same for the same number. */
    of: (number: number): Sitter | undefined => all[number % all.length],
    close: () => finder.close(),
  };
}
