import { UserError } from '../../command/errors.ts';
import type { CatalogEntry, CatalogPort } from '../../command/ports.ts';
import { rank } from '../../command/search/fuzzy.ts';
import type { Words } from '../../words/words.ts';
import type { Catalogs } from './catalog.ts';

const maxFound = 200;

const textsOf = ({ reference, name }: CatalogEntry): readonly string[] => [reference, name];

export const createCatalogPort = (catalogs: Catalogs, words: Words): CatalogPort => ({
  async list(catalog, search) {
    const entries = await catalogs.load(catalog);
    if (entries === undefined) throw new UserError(words.reference.unavailable, 'limit');
    if (search === undefined) return entries;
    return rank(search, entries, textsOf, maxFound);
  },
});
