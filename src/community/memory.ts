import type { CatalogEntry } from '../command/call.ts';
import type { Suggestion } from '../command/desk.ts';
import type { Memory } from '../command/memory.ts';
import type { AliasNames } from './alias-names.ts';
import type { Catalogs } from './catalog.ts';

const numbered = ({ reference, name }: CatalogEntry): Suggestion => ({
  value: reference,
  label: `${reference} · ${name}`,
});

/** Everything that can be suggested, without waiting for anybody. */
export const createMemory = (catalogs: Catalogs, aliasNames: AliasNames): Memory => ({
  references(community, catalog, model) {
    const custom = (catalogs.peek('mine') ?? [])
      .filter((entry) => model === 'any' || entry.model === model || entry.model === 'unknown')
      .map(({ reference, name }): Suggestion => ({ value: reference, label: name }));
    if (catalog === 'mine') return custom;
    const standard = (catalogs.peek(catalog) ?? []).map(numbered);
    // The classic path takes catalog numbers only.
    if (catalog === 'classic') return standard;
    const aliases = aliasNames
      .peek(community)
      .filter((alias) => model === 'any' || alias.model === model)
      .map(({ name }): Suggestion => ({ value: name, label: name }));
    return [...aliases, ...standard, ...custom];
  },
  aliases: (community) => aliasNames.peek(community).map(({ name }) => ({ value: name, label: name })),
  async warm(catalog) {
    await catalogs.load(catalog);
  },
});
