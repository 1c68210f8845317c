import { isUuid } from '../../base/uuid.ts';
import type { AliasDetails, AliasEntry } from '../../command/aliases-port.ts';
import type { CatalogEntry } from '../../command/catalog-port.ts';
import { itemsNamed, rankAll } from '../../command/search/fuzzy.ts';
import type { Alias } from '../../generation-client/aliases.ts';
import type { CustomFilter } from '../../generation-client/lists.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { FilterModel } from '../../kinds/choices.ts';
import { refuse } from '../community-error.ts';
import type { NamedAlias } from './alias-records.ts';

export const isNotFound = (error: unknown): boolean =>
  error instanceof GenerationError && error.kind === 'not-found';

export const isServiceRefusal = (error: unknown): boolean =>
  error instanceof GenerationError && (error.kind === 'refused' || error.kind === 'rule');

/** Turns errors of the service into errors with a message for users; other errors are defects and pass through. */
export async function withExplainedErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof GenerationError) || error.kind === 'not-found') throw error;
    if (isServiceRefusal(error))
      refuse({ code: 'service-refused', detail: error.detail ?? error.code ?? error.message });
    if (error.kind === 'unauthorized') refuse({ code: 'service-credentials' });
    if (error.kind === 'redirected') refuse({ code: 'service-address' });
    refuse({ code: 'service-unavailable' });
  }
}

/** An alias as the service tells it, of which at least the filter is known. */
type Read = Pick<Alias, 'filter'> & Partial<Alias>;

/**
 * Makes the entry of an alias. A filter that has no label and is not on our list was deleted; without the list that is
 * unknown.
 */
export function aliasEntryOf(
  { name, id, model }: NamedAlias,
  found: Read | undefined,
  filters: readonly CatalogEntry[] | undefined,
): AliasEntry {
  const target = found?.filter;
  if (target === undefined) return { name, id, model };
  const label = found?.label || filters?.find(({ reference }) => reference === target)?.name;
  if (label === undefined && filters !== undefined) return { name, id, model };
  return { name, id, model, filter: { id: target, label: label ?? target } };
}

/** Makes the details of an alias, with its history. */
export function aliasDetailsOf(
  alias: NamedAlias,
  found: Read,
  filters: readonly CatalogEntry[] | undefined,
): AliasDetails {
  return {
    ...aliasEntryOf(alias, found, filters),
    createdAt: found.createdAt,
    updatedAt: found.updatedAt,
    history: (found.history ?? []).map(({ name, filter, removedAt }) => ({
      label: name || filter,
      removedAt,
    })),
  };
}

const namesOf = ({ name }: CustomFilter): readonly string[] => [name];

/** Finds the nearest names to a misspelt one. */
export const nearestNames = (typed: string, names: readonly string[]): readonly string[] =>
  rankAll(typed, [names], (name) => [name], 3);

/** Finds the target of an alias by a typed UUID or name of a custom filter, preferably of the given model. */
export async function findTarget(
  typed: string,
  customFilters: () => Promise<readonly CustomFilter[]>,
  model?: FilterModel,
): Promise<CustomFilter> {
  if (/^\d+$/.test(typed)) refuse({ code: 'filter-is-number' });
  const filters = await withExplainedErrors(customFilters());
  const wanted = typed.toLowerCase();
  const byId = filters.find((filter) => filter.id.toLowerCase() === wanted);
  if (byId) return byId;
  const named = itemsNamed(typed, filters, namesOf);
  const [found] = [...named.filter((filter) => filter.model === model), ...named];
  if (found) return found;
  // A paid filter of another account is not on our list, so the user is asked for its model.
  if (isUuid(typed)) return { id: wanted, name: wanted, model: 'unknown', previews: [] };
  const names = filters.map(({ name }) => name);
  refuse({ code: 'filter-unknown', typed, near: nearestNames(typed, names) });
}
