import { type CatalogEntry, catalogNames } from '../command/call.ts';
import type { Suggestion } from '../command/desk.ts';
import { isSlip, sameAs } from '../command/fuzzy.ts';
import type { Memory } from '../command/memory.ts';
import type { ModelType } from '../command/request.ts';
import type { AliasNames } from './alias-names.ts';
import type { Catalogs } from './catalog.ts';

const none: readonly CatalogEntry[] = [];

/** Made once for each list and forgotten with it: they are wanted on every keystroke. */
const perList = <T>(
  make: (entries: readonly CatalogEntry[]) => T,
): ((entries: readonly CatalogEntry[]) => T) => {
  const made = new WeakMap<readonly CatalogEntry[], T>();
  return (entries) => {
    const known = made.get(entries) ?? make(entries);
    made.set(entries, known);
    return known;
  };
};

const numbered = perList((entries) =>
  entries.map(({ reference, name }): Suggestion => ({ value: reference, label: `${reference} · ${name}` })),
);

const ofModel = (model: ModelType) =>
  perList((entries) => named(entries.filter((entry) => entry.model === model || entry.model === 'unknown')));
const named = perList((entries) =>
  entries.map(({ reference, name }): Suggestion => ({ value: reference, label: name })),
);
const custom = { face: ofModel('face'), group: ofModel('group'), any: named };

const numbersIn = perList((entries) => new Set(entries.map(({ reference }) => reference)));
const namesIn = perList((entries) => new Set(entries.map(({ name }) => sameAs(name))));

/** Everything that can be suggested, without waiting for anybody. */
export const createMemory = (catalogs: Catalogs, aliasNames: AliasNames): Memory => {
  const aliasesFor = (community: string, model: ModelType | 'any'): readonly Suggestion[] =>
    aliasNames
      .peek(community)
      .filter((alias) => model === 'any' || alias.model === model)
      .map(({ name }) => ({ value: name, label: name }));

  return {
    references(community, catalog, model) {
      const own = custom[model](catalogs.peek('mine') ?? none);
      if (catalog === 'mine') return own;
      const entries = catalogs.peek(catalog) ?? none;
      const standard = numbered(entries);
      // The classic path takes catalog numbers only.
      if (catalog === 'classic') return standard;
      // A name that is also a number there would be taken for the number.
      const aliases = aliasesFor(community, model).filter(({ value }) => !numbersIn(entries).has(value));
      return [...aliases, ...standard, ...own];
    },
    knows(community, catalog, model, name) {
      const wanted = sameAs(name);
      const lists = catalog === 'mine' ? ['mine' as const] : [catalog, 'mine' as const];
      return (
        lists.some((list) => namesIn(catalogs.peek(list) ?? none).has(wanted)) ||
        aliasesFor(community, model).some(({ label }) => sameAs(label) === wanted)
      );
    },
    resembles(community, name) {
      const wanted = sameAs(name);
      const names = [
        ...catalogNames.flatMap((list) => [...namesIn(catalogs.peek(list) ?? none)]),
        ...aliasesFor(community, 'any').map(({ label }) => sameAs(label)),
      ];
      return names.some((each) => isSlip(wanted, each));
    },
    aliases: (community) => aliasesFor(community, 'any'),
    async warm(community, catalog) {
      await Promise.all([aliasNames.load(community), catalogs.load(catalog)]);
    },
  };
};
