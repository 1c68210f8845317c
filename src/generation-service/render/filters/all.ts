import { customGroupScenes, customScenes, realisticScenes, scenes, stylizedScenes } from '../scenes/all.ts';
import type { Scene } from '../scenes/scene.ts';
import type { Filter, FilterTable, Step } from '../steps.ts';
import { CLASSIC_FILTERS } from './classic.ts';
import { CUSTOM_FACE_FILTERS, CUSTOM_GROUP_FILTERS } from './custom.ts';
import { FACE_FILTERS } from './face.ts';
import { REALISTIC_FILTERS } from './realistic.ts';
import { PAINTED_SCENE, STYLIZED_FILTERS } from './stylized.ts';

/** Numbers the filters of a table from 1, followed by scenes, to which `steps` are applied. */
function numbered(
  set: string,
  table: FilterTable,
  scenes: Readonly<Record<string, Scene>> = {},
  steps: readonly Step[] = [],
): Filter[] {
  const painted = Object.entries(table).map(([name, own]) => ({ name, steps: own }));
  const drawn = Object.entries(scenes).map(([name, scene]) => ({ name, steps, scene }));
  const isForGroups = set !== 'face';
  return [...painted, ...drawn].map((filter, n) => ({
    key: `${set}/${n + 1}`,
    id: n + 1,
    isForGroups,
    ...filter,
  }));
}

/** The last style: the interface allows numbers up to 25. */
const tradingFaces: Filter = {
  key: 'realistic/25',
  id: 25,
  name: 'Trading Faces',
  isForGroups: true,
  steps: [],
  swapsFaces: true,
};

export const catalogs = {
  face: numbered('face', FACE_FILTERS, scenes),
  realistic: [...numbered('realistic', REALISTIC_FILTERS, realisticScenes), tradingFaces],
  stylized: numbered('stylized', STYLIZED_FILTERS, stylizedScenes, PAINTED_SCENE),
  classic: numbered('classic', CLASSIC_FILTERS),
};

/** The user's custom filters. */
export const customFilters: Filter[] = numbered(
  'custom',
  { ...CUSTOM_FACE_FILTERS, ...CUSTOM_GROUP_FILTERS },
  { ...customScenes, ...customGroupScenes },
).map((filter) => ({
  ...filter,
  key: `custom/${filter.name.toLowerCase().replaceAll(' ', '-')}`,
  isForGroups: filter.name in CUSTOM_GROUP_FILTERS || filter.name in customGroupScenes,
}));

const filters = new Map(
  [...Object.values(catalogs).flat(), ...customFilters].map((filter) => [filter.key, filter]),
);

/**
 * The preview file of each filter, by its key. A renamed or renumbered filter needs a new picture: `npx node
 * scripts/previews.ts`.
 */
export const previewFiles: ReadonlyMap<string, URL> = new Map(
  [...filters.values()].map(({ key, id, name }) => {
    const file = `${key.slice(0, key.indexOf('/'))}/${id}-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.jpg`;
    return [key, new URL(`../../previews/${file}`, import.meta.url)];
  }),
);

export function filterNamed(key: string): Filter {
  const filter = filters.get(key);
  if (filter === undefined) throw new Error(`there is no filter ${key}`);
  return filter;
}
