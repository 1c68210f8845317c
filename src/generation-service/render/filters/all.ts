import { customGroupScenes, customScenes, realisticScenes, scenes, stylizedScenes } from '../scenes/all.ts';
import type { Scene } from '../scenes/scene.ts';
import type { Filter, FilterTable, Step } from '../steps.ts';
import { CLASSIC_FILTERS } from './classic.ts';
import { CUSTOM_FACE_FILTERS, CUSTOM_GROUP_FILTERS } from './custom.ts';
import { FACE_FILTERS } from './face.ts';
import { REALISTIC_FILTERS } from './realistic.ts';
import { PAINTED_SCENE, STYLIZED_FILTERS } from './stylized.ts';

/** The filters of a table, numbered from 1. */
function numbered(set: string, table: FilterTable): Filter[] {
  return Object.entries(table).map(([name, steps], index) => ({
    key: `${set}/${index + 1}`,
    id: index + 1,
    name,
    steps,
  }));
}

/** Scenes, numbered after the other filters of the set. */
function sceneFilters(
  set: string,
  table: Readonly<Record<string, Scene>>,
  { length }: readonly unknown[],
  steps: readonly Step[] = [],
): Filter[] {
  const first = length + 1;
  return Object.entries(table).map(([name, scene], index) => ({
    key: `${set}/${first + index}`,
    id: first + index,
    name,
    steps,
    scene,
  }));
}

/** Styles have numbers up to 25. */
const tradingFaces: Filter = {
  key: 'realistic/25',
  id: 25,
  name: 'Trading Faces',
  steps: [],
  swapsFaces: true,
};

const painted = numbered('face', FACE_FILTERS);
const realistic = numbered('realistic', REALISTIC_FILTERS);
const stylized = numbered('stylized', STYLIZED_FILTERS);

export const catalogs = {
  face: [...painted, ...sceneFilters('face', scenes, painted)],
  realistic: [...realistic, ...sceneFilters('realistic', realisticScenes, realistic), tradingFaces],
  stylized: [...stylized, ...sceneFilters('stylized', stylizedScenes, stylized, PAINTED_SCENE)],
  classic: numbered('classic', CLASSIC_FILTERS),
};

/** What every caller owns besides the catalogs. */
const ownPainted = numbered('custom', { ...CUSTOM_FACE_FILTERS, ...CUSTOM_GROUP_FILTERS });
export const customFilters: Filter[] = [
  ...ownPainted,
  ...sceneFilters('custom', { ...customScenes, ...customGroupScenes }, ownPainted),
].map((filter) => ({ ...filter, key: `custom/${filter.name.toLowerCase().replaceAll(' ', '-')}` }));

const filters = new Map(
  [...Object.values(catalogs).flat(), ...customFilters].map((filter) => [filter.key, filter]),
);

/** The picture of each filter, by its key. A renamed or renumbered one needs a new picture: `npx node scripts/previews.ts`. */
export const previewFiles: ReadonlyMap<string, URL> = new Map(
  [...filters.values()].map(({ key, id, name }) => {
    const file = `${key.slice(0, key.indexOf('/'))}/${id}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.jpg`;
    return [key, new URL(`../../previews/${file}`, import.meta.url)];
  }),
);

export function filterOf(key: string): Filter {
  const filter = filters.get(key);
  if (filter === undefined) throw new Error(`there is no filter ${key}`);
  return filter;
}
