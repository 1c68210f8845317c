import { astronaut } from './astronaut.ts';
import { knight, royal, viking, wizard } from './castle.ts';
import { chef, detective, racer, rockStar } from './city.ts';
import { rockBand, roundTable, royalFamily, schoolOfMagic } from './group-halls.ts';
import { longship, moonCrew, pirateCrew } from './group-voyages.ts';
import { polar, snowGlobe, sunflower, teddy } from './play.ts';
import type { Scene } from './scene.ts';
import { diver, merfolk, pirate } from './sea.ts';
import { pharaoh, pilot, samurai } from './travels.ts';

/** The scenes at the end of the face swap catalog. The order determines the numbers, so new scenes are added at the end. */
export const scenes: Readonly<Record<string, Scene>> = {
  Astronaut: astronaut,
  Pirate: pirate,
  'Royal Portrait': royal,
  'Deep Sea Diver': diver,
  Knight: knight,
  Wizard: wizard,
  Viking: viking,
  'Under the Sea': merfolk,
  Chef: chef,
  'Racing Driver': racer,
  'Rock Star': rockStar,
  'Thirties Detective': detective,
  'Snow Globe': snowGlobe,
  'Twenties Pilot': pilot,
  Samurai: samurai,
  Pharaoh: pharaoh,
  Sunflower: sunflower,
  'Teddy Bear': teddy,
  'Polar Explorer': polar,
};

/** The scenes among the user's custom filters. */
export const customScenes: Readonly<Record<string, Scene>> = {
  'Moon Landing': {
    ...astronaut,
    colours: { male: '#d8a020', female: '#d8a020', boy: '#d8a020', girl: '#d8a020' },
  },
  'Winter Wish': {
    ...snowGlobe,
    colours: { male: '#1f6a4a', female: '#b8202e', boy: '#1f6a4a', girl: '#b8202e' },
  },
};

/** Scenes for groups, numbered after the painted styles; the stylized scenes are painted. */
export const realisticScenes: Readonly<Record<string, Scene>> = {
  'Moon Crew': moonCrew,
  'Pirate Crew': pirateCrew,
  'Royal Family': royalFamily,
  'Round Table': roundTable,
};
export const stylizedScenes: Readonly<Record<string, Scene>> = {
  'Rock Band': rockBand,
  Longship: longship,
  'School of Magic': schoolOfMagic,
};
export const customGroupScenes: Readonly<Record<string, Scene>> = {
  'Space Reunion': {
    ...moonCrew,
    colours: { male: '#d8a020', female: '#c4303a', boy: '#5a9a2a', girl: '#8a4ad0' },
  },
  'Treasure Hunt': {
    ...pirateCrew,
    colours: { male: '#1f6a5a', female: '#8a5a1f', boy: '#7a2a4a', girl: '#3a3a7a' },
  },
};
