import { UserError } from '../../command/errors.ts';
import type { CatalogEntry, CatalogPort } from '../../command/ports.ts';
import type { CatalogName, ModelType } from '../../command/request.ts';
import { rankAll } from '../../command/search/fuzzy.ts';
import type { Words } from '../../words/words.ts';
import type { AliasEntries } from './alias-entries.ts';
import type { Catalogs } from './catalog.ts';

const MAX_FOUND = 200;

function textsOf({ reference, name }: CatalogEntry): readonly string[] {
  return [reference, name];
}

function modelOf(catalog: CatalogName): ModelType | 'any' {
  if (catalog === 'mine') return 'any';
  return catalog === 'face' ? 'face' : 'group';
}

/** The aliases of the community come before the filters that they stand beside. */
export function createCatalogPort(
  catalogs: Catalogs,
  aliasEntries: AliasEntries,
  community: string,
  words: Words,
): Pick<CatalogPort, 'list' | 'known'> {
  const aliasesBeside = (catalog: CatalogName) => aliasEntries.beside(community, catalog, modelOf(catalog));
  return {
    known: (catalog) => [...aliasesBeside(catalog), ...(catalogs.peek(catalog) ?? [])],
    async list(catalog, search) {
      const [entries] = await Promise.all([catalogs.load(catalog), aliasEntries.load(community)]);
      if (entries === undefined) throw new UserError(words.reference.unavailable, 'limit');
      const aliases = aliasesBeside(catalog);
      if (search === undefined) return [...aliases, ...entries];
      return rankAll(search, [aliases, entries], textsOf, MAX_FOUND);
    },
  };
}
