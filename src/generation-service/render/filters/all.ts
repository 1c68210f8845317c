import { classicFilters } from './classic.ts';
import { CUSTOM_FACE_FILTERS, CUSTOM_GROUP_FILTERS } from './custom.ts';
import { faceFilters } from './face.ts';
import type { Filter, FilterTable } from './filter.ts';
import { realisticFilters } from './realistic.ts';
import { stylizedFilters } from './stylized.ts';

/** The filters of a table, numbered from 1. */
function numbered(set: string, table: FilterTable): Filter[] {
  return Object.entries(table).map(([name, steps], index) => ({
    key: `${set}/${index + 1}`,
    id: index + 1,
    name,
    steps,
  }));
}

export const catalogs = {
  face: numbered('face', faceFilters),
  realistic: numbered('realistic', realisticFilters),
  stylized: numbered('stylized', stylizedFilters),
  classic: numbered('classic', classicFilters),
};

/** What every caller owns besides the catalogs. */
export const customFilters: Filter[] = numbered('custom', {
  ...CUSTOM_FACE_FILTERS,
  ...CUSTOM_GROUP_FILTERS,
}).map((filter) => ({ ...filter, key: `custom/${filter.name.toLowerCase().replaceAll(' ', '-')}` }));

const filters = new Map(
  [...Object.values(catalogs).flat(), ...customFilters].map((filter) => [filter.key, filter]),
);

export const filterKeys: ReadonlySet<string> = new Set(filters.keys());

export function filterOf(key: string): Filter {
  const filter = filters.get(key);
  if (filter === undefined) throw new Error(`there is no filter ${key}`);
  return filter;
}
