import { defined } from '../../base/defined.ts';
import type { CatalogEntry } from '../../command/ports.ts';
import type { ListName, ModelType } from '../../command/request.ts';
import type { AliasNames } from '../aliases/alias-names.ts';
import type { Catalogs } from './catalog.ts';
import { perList } from './per-list.ts';

const previewsIn = perList(
  (entries) => new Map(entries.map(({ reference, preview }) => [reference.toLowerCase(), preview])),
);
const numbersIn = perList((entries) => new Set(entries.map(({ reference }) => reference)));

export type AliasEntries = ReturnType<typeof createAliasEntries>;

/** The aliases of a community as filters, each with the preview of the one that it points to; from memory. */
export function createAliasEntries(catalogs: Catalogs, aliasNames: AliasNames) {
  const of = (community: string, model: ModelType | 'any'): readonly CatalogEntry[] => {
    const previews = previewsIn(catalogs.peek('mine') ?? []);
    return aliasNames
      .peek(community)
      .filter((alias) => model === 'any' || alias.model === model)
      .map(({ name, model, filter = '' }) => ({
        reference: name,
        name,
        model,
        ...defined({ preview: previews.get(filter.toLowerCase()) }),
      }));
  };
  return {
    of,
    /** Those that can be used with this list. */
    beside(community: string, catalog: ListName, model: ModelType | 'any'): readonly CatalogEntry[] {
      // The classic path takes catalog numbers only.
      if (catalog === 'classic') return [];
      const numbers = numbersIn(catalogs.peek(catalog) ?? []);
      // A name that is also a number there would be taken for the number; custom filters are used with any list.
      const isNumber = (name: string) => (catalog === 'mine' ? /^\d+$/.test(name) : numbers.has(name));
      return of(community, model).filter(({ name }) => !isNumber(name));
    },
    load: aliasNames.load,
  };
}
