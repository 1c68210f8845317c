import { defined } from '../../base/defined.ts';
import type { Suggestion } from '../../command/desk.ts';
import type { KnownNames } from '../../command/known-names.ts';
import type { CatalogEntry } from '../../command/ports.ts';
import { CATALOG_NAMES, type ModelType } from '../../command/request.ts';
import { sameAs } from '../../command/search/comparable-name.ts';
import { isTypo } from '../../command/search/fuzzy.ts';
import type { AliasEntries } from './alias-entries.ts';
import type { Catalogs } from './catalog.ts';
import { ofModel, perList } from './per-list.ts';

const NO_ENTRIES: readonly CatalogEntry[] = [];

const numbered = perList((entries) =>
  entries.map(
    ({ reference, name, preview }): Suggestion => ({
      value: reference,
      label: `${reference} · ${name}`,
      ...defined({ preview }),
    }),
  ),
);

function suggestionOf({ reference, name, preview }: CatalogEntry): Suggestion {
  return { value: reference, label: name, ...defined({ preview }) };
}

const named = perList((entries) => entries.map(suggestionOf));

const namesIn = perList((entries) => new Set(entries.map(({ name }) => sameAs(name))));
const byLength = perList((entries) => Map.groupBy(namesIn(entries), (name) => name.length));

/** No name is longer. */
const MAX_NAME_LENGTH = 400;
/** A typo changes the length by at most two. */
const LENGTHS = [-2, -1, 0, 1, 2];

/** Names that can be suggested, from the caches. */
export function createKnownNames(catalogs: Catalogs, aliasEntries: AliasEntries): KnownNames {
  const aliasesFor = (community: string, model: ModelType | 'any'): readonly Suggestion[] =>
    aliasEntries.of(community, model).map(suggestionOf);

  return {
    references(community, catalog, model) {
      const mine = catalogs.peek('mine') ?? NO_ENTRIES;
      const own = named(model === 'any' ? mine : ofModel[model](mine));
      if (catalog === 'mine') return [own];
      const standard = numbered(catalogs.peek(catalog) ?? NO_ENTRIES);
      // The classic path takes catalog numbers only.
      if (catalog === 'classic') return [standard];
      return [aliasEntries.beside(community, catalog, model).map(suggestionOf), standard, own];
    },
    knows(community, catalog, model, name) {
      if (name.length > MAX_NAME_LENGTH) return false;
      const wanted = sameAs(name);
      const lists = catalog === 'mine' ? ['mine' as const] : [catalog, 'mine' as const];
      return (
        lists.some((list) => namesIn(catalogs.peek(list) ?? NO_ENTRIES).has(wanted)) ||
        aliasesFor(community, model).some(({ label }) => sameAs(label) === wanted)
      );
    },
    resembles(community, name) {
      if (name.length > MAX_NAME_LENGTH) return false;
      const wanted = sameAs(name);
      const isNear = (each: string): boolean => isTypo(wanted, each);
      return (
        CATALOG_NAMES.some((list) => {
          const names = byLength(catalogs.peek(list) ?? NO_ENTRIES);
          return LENGTHS.some((more) => names.get(wanted.length + more)?.some(isNear));
        }) || aliasesFor(community, 'any').some(({ label }) => isNear(sameAs(label)))
      );
    },
    aliases: (community) => aliasesFor(community, 'any'),
    async warm(community, catalog) {
      await Promise.all([aliasEntries.load(community), catalogs.load(catalog)]);
    },
  };
}
