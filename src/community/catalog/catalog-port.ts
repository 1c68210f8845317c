import { UserError } from '../../command/errors.ts';
import type { CatalogEntry, CatalogPort } from '../../command/ports.ts';
import { rank } from '../../command/search/fuzzy.ts';
import type { Words } from '../../words/words.ts';
import type { Catalogs } from './catalog.ts';

const MAX_FOUND = 200;

function textsOf({ reference, name }: CatalogEntry): readonly string[] {
  return [reference, name];
}

export function createCatalogPort(catalogs: Catalogs, words: Words): Pick<CatalogPort, 'list'> {
  return {
    async list(catalog, search) {
      const entries = await catalogs.load(catalog);
      if (entries === undefined) throw new UserError(words.reference.unavailable, 'limit');
      if (search === undefined) return entries;
      return rank(search, entries, textsOf, MAX_FOUND);
    },
  };
}
