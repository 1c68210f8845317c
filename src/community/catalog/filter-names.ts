import { defined } from '../../base/defined.ts';
import type { CatalogEntry, CatalogPort } from '../../command/catalog-port.ts';
import type { Suggestion } from '../../command/desk.ts';
import { UserError } from '../../command/errors.ts';
import { comparableName } from '../../command/search/comparable-name.ts';
import type { KnownNames } from '../../command/search/complete.ts';
import { isTypo, rankAll } from '../../command/search/fuzzy.ts';
import {
  CATALOG_NAMES,
  type CatalogName,
  type FilterListName,
  type FilterModel,
} from '../../kinds/choices.ts';
import type { Words } from '../../words/words.ts';
import type { AliasNames } from '../aliases/alias-records.ts';
import type { Catalogs } from './catalog.ts';

type Entries = readonly CatalogEntry[];

/** Memoises a function per list, because its value is needed on every keystroke. */
function perList<T>(make: (entries: Entries) => T): (entries: Entries) => T {
  const made = new WeakMap<Entries, T>();
  return (entries) => {
    const known = made.get(entries) ?? make(entries);
    made.set(entries, known);
    return known;
  };
}

const fitting = (model: FilterModel) =>
  perList((entries) => entries.filter((entry) => entry.model === model || entry.model === 'unknown'));

/** Selects the entries of a list for a model, together with those whose model is unknown. */
export const ofModel = { face: fitting('face'), group: fitting('group'), any: (entries: Entries) => entries };

const suggestionOf = ({ reference, name, preview }: CatalogEntry): Suggestion => ({
  value: reference,
  label: name,
  ...defined({ preview }),
});

const named = perList((entries) => entries.map(suggestionOf));
const numbered = perList((entries) =>
  named(entries).map((each) => ({ ...each, label: `${each.value} · ${each.label}` })),
);
const numbersIn = perList((entries) => new Set(entries.map(({ reference }) => reference)));
const previewsIn = perList(
  (entries) => new Map(entries.map(({ reference, preview }) => [reference.toLowerCase(), preview])),
);
const namesIn = perList((entries) => new Set(entries.map(({ name }) => comparableName(name))));
const byLength = perList((entries) => Map.groupBy(namesIn(entries), (name) => name.length));

const NO_ENTRIES: Entries = [];
const MOST_FOUND = 200;
/** A longer text is not compared, because no name is longer. */
const LONGEST_NAME = 400;
/** The differences in length between a word and its typos. */
const LENGTHS = [-2, -1, 0, 1, 2];

const textsOf = ({ reference, name }: CatalogEntry): readonly string[] => [reference, name];

function modelOf(catalog: CatalogName): FilterModel | 'any' {
  if (catalog === 'mine') return 'any';
  return catalog === 'face' ? 'face' : 'group';
}

export type FilterNames = ReturnType<typeof createFilterNames>;

/** Suggests and lists the names of filters and aliases from the caches. */
export function createFilterNames(catalogs: Pick<Catalogs, 'peek' | 'load'>, aliasNames: AliasNames) {
  const listOf = (name: FilterListName): Entries => catalogs.peek(name) ?? NO_ENTRIES;
  /** The aliases of a community as entries of a list, each with the preview of the filter to which it points. */
  const aliasesFor = (community: string, model: FilterModel | 'any'): Entries => {
    const previews = previewsIn(listOf('mine'));
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
  /** The aliases that can be used with this list. */
  const beside = (community: string, catalog: FilterListName, model: FilterModel | 'any'): Entries => {
    // The classic look accepts catalog numbers only.
    if (catalog === 'classic') return [];
    const numbers = numbersIn(listOf(catalog));
    // An alias whose name is also a number of the list is left out, because it would be taken for the number.
    const isNumber = (name: string) => (catalog === 'mine' ? /^\d+$/.test(name) : numbers.has(name));
    return aliasesFor(community, model).filter(({ name }) => !isNumber(name));
  };

  return {
    references(community, catalog, model) {
      const own = named(ofModel[model](listOf('mine')));
      if (catalog === 'mine') return [own];
      const standard = numbered(listOf(catalog));
      if (catalog === 'classic') return [standard];
      return [beside(community, catalog, model).map(suggestionOf), standard, own];
    },
    knows(community, catalog, model, name) {
      if (name.length > LONGEST_NAME) return false;
      const wanted = comparableName(name);
      return (
        [catalog, 'mine' as const].some((list) => namesIn(listOf(list)).has(wanted)) ||
        aliasesFor(community, model).some((alias) => comparableName(alias.name) === wanted)
      );
    },
    resembles(community, name) {
      if (name.length > LONGEST_NAME) return false;
      const wanted = comparableName(name);
      const isNear = (each: string): boolean => isTypo(wanted, each);
      return (
        CATALOG_NAMES.some((list) => {
          const names = byLength(listOf(list));
          return LENGTHS.some((more) => names.get(wanted.length + more)?.some(isNear));
        }) || aliasesFor(community, 'any').some((alias) => isNear(comparableName(alias.name)))
      );
    },
    aliases: (community) => aliasesFor(community, 'any').map(suggestionOf),
    async warm(community, catalog) {
      await Promise.all([aliasNames.load(community), catalogs.load(catalog)]);
    },
    /** The part of the catalog port that lists filters; the aliases of the community come first. */
    port: (community: string, words: Words): Pick<CatalogPort, 'list' | 'known'> => ({
      known: (catalog) => [...beside(community, catalog, modelOf(catalog)), ...listOf(catalog)],
      async list(catalog, search) {
        const [entries] = await Promise.all([catalogs.load(catalog), aliasNames.load(community)]);
        if (entries === undefined) throw new UserError(words.reference.unavailable, 'limit');
        const aliases = beside(community, catalog, modelOf(catalog));
        if (search === undefined) return [...aliases, ...entries];
        return rankAll(search, [aliases, entries], textsOf, MOST_FOUND);
      },
    }),
  } satisfies KnownNames & Readonly<Record<'port', unknown>>;
}
