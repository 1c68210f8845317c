import { HttpError } from '../interface/http-error.ts';
import { catalogs } from '../render/filters/all.ts';
import { SINGLE_PERSON_FILTERS } from '../render/filters/face.ts';
import type { Filter } from '../render/steps.ts';
import type { GroupTask } from '../render/task.ts';
import type { AliasTable } from './aliases.ts';
import { type FilterTypeWord, findCustomFilter } from './custom-filters.ts';

export type StandardCatalog = keyof typeof catalogs;

export type Catalog = ReturnType<typeof createCatalog>;

/** Resolves the filter that a request names to the filter's key, or throws an `HttpError` that says why it cannot be used. */
export function createCatalog(aliases: AliasTable) {
  const byNumber = (name: StandardCatalog, number: number): Filter => {
    const filter = catalogs[name].find(({ id }) => id === number);
    if (filter === undefined) throw new HttpError(422, 'FILTER_NOT_FOUND', `There is no filter ${number}.`);
    return filter;
  };
  const byUuid = (uuid: string, type: FilterTypeWord): string => {
    const target = findCustomFilter(uuid) ?? findCustomFilter(aliases.filterOf(uuid.toLowerCase()) ?? '');
    if (target === undefined) {
      throw new HttpError(422, 'WORKFLOW_FETCH_FAILED', 'The workflow of this filter could not be loaded.');
    }
    if (target.filterType !== type) {
      const detail = `This filter is made for ${target.filterType}, not for ${type}.`;
      throw new HttpError(422, 'FILTER_TYPE_MISMATCH', detail);
    }
    return target.key;
  };

  return {
    list: (name: StandardCatalog) =>
      catalogs[name].map(({ id, key, name: title }) => ({
        id: String(id),
        name: title,
        preview: `/previews/${key}.jpg`,
      })),

    faceFilter(reference: number | string, group: boolean): string {
      const number = asNumber(reference);
      if (number === undefined) {
        const key = byUuid(String(reference), 'face_swap');
        if (group) {
          throw new HttpError(422, 'FILTER_BLOCKED', 'Group mode (gender 4) takes integer filter ids only.');
        }
        return key;
      }
      const filter = byNumber('face', number);
      if (group && (SINGLE_PERSON_FILTERS.has(filter.name) || filter.scene !== undefined)) {
        throw new HttpError(422, 'FILTER_BLOCKED', `Filter ${number} is not available in group mode.`);
      }
      return filter.key;
    },

    groupFilter(reference: number | string, look: GroupTask['look']): string {
      const number = asNumber(reference);
      if (number === undefined) return byUuid(String(reference), 'multi_swap');
      return byNumber(look, number).key;
    },
  };
}

/** Parses a catalog number. Catalogs list numbers as strings, so both forms are accepted. */
function asNumber(reference: number | string): number | undefined {
  if (typeof reference === 'number') return reference;
  return /^\d{1,9}$/.test(reference.trim()) ? Number(reference) : undefined;
}
