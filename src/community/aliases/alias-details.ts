import type { AliasDetails, AliasEntry, CatalogEntry } from '../../command/ports.ts';
import type { Alias } from '../../generation-client/alias-shapes.ts';
import type { NamedAlias } from './alias-records.ts';

/** A filter without a label that is not on our list was deleted; without the list that is unknown. */
export function aliasEntryOf(
  { name, id, model }: NamedAlias,
  found: Alias | undefined,
  filters: readonly CatalogEntry[] | undefined,
): AliasEntry {
  const target = found?.filter;
  if (target === undefined) return { name, id, model };
  const label = found?.label || filters?.find(({ reference }) => reference === target)?.name;
  if (label === undefined && filters !== undefined) return { name, id, model };
  return { name, id, model, filter: { id: target, label: label ?? target } };
}

export function details(
  alias: NamedAlias,
  found: Alias,
  filters: readonly CatalogEntry[] | undefined,
): AliasDetails {
  return {
    ...aliasEntryOf(alias, found, filters),
    createdAt: found.createdAt,
    updatedAt: found.updatedAt,
    history: found.history.map((entry) => ({
      label: entry.name || entry.filter,
      removedAt: entry.removedAt,
    })),
  };
}
