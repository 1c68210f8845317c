import { astronaut } from './astronaut.ts';
import { knight, royal, viking, wizard } from './castle.ts';
import type { Scene } from './scene.ts';
import { diver, merfolk, pirate } from './sea.ts';

/** The end of the face swap catalog. The order gives the numbers, so new ones go to the end. */
export const scenes: Readonly<Record<string, Scene>> = {
  Astronaut: astronaut,
  Pirate: pirate,
  'Royal Portrait': royal,
  'Deep Sea Diver': diver,
  Knight: knight,
  Wizard: wizard,
  Viking: viking,
  'Under the Sea': merfolk,
};
