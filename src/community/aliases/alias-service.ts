import { isUuid } from '../../base/uuid.ts';
import type { AliasDetails, AliasEntry } from '../../command/aliases-port.ts';
import type { CatalogEntry } from '../../command/catalog-port.ts';
import { called, rankAll } from '../../command/search/fuzzy.ts';
import type { Alias } from '../../generation-client/aliases.ts';
import type { CustomFilter } from '../../generation-client/lists.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import type { ModelType } from '../../kinds/choices.ts';
import { refuse } from '../community-error.ts';
import type { NamedAlias } from './alias-records.ts';

export const isNotFound = (error: unknown): boolean =>
  error instanceof GenerationError && error.kind === 'not-found';

export const isServiceRefusal = (error: unknown): boolean =>
  error instanceof GenerationError && (error.kind === 'refused' || error.kind === 'rule');

/** Turns errors of the service into ones with a message for users; other errors are defects and pass through. */
export async function explained<T>(call: Promise<T>): Promise<T> {
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

/** What is known of an alias at the service: where it points, at least. */
type Read = Pick<Alias, 'filter'> & Partial<Alias>;

/** A filter without a label that is not on our list was deleted; without the list that is unknown. */
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

export function details(
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

/** The nearest names to a misspelt one. */
export const nearest = (typed: string, names: readonly string[]): readonly string[] =>
  rankAll(typed, [names], (name) => [name], 3);

/** The target of an alias: a UUID, or a custom filter's name, preferably of the given model. */
export async function findTarget(
  typed: string,
  customFilters: () => Promise<readonly CustomFilter[]>,
  model?: ModelType,
): Promise<CustomFilter> {
  if (/^\d+$/.test(typed)) refuse({ code: 'filter-is-number' });
  const filters = await explained(customFilters());
  const wanted = typed.toLowerCase();
  const byId = filters.find((filter) => filter.id.toLowerCase() === wanted);
  if (byId) return byId;
  const named = called(typed, filters, namesOf);
  const [found] = [...named.filter((filter) => filter.model === model), ...named];
  if (found) return found;
  // Another account's paid filter is not on our list: the user is asked for its model.
  if (isUuid(typed)) return { id: wanted, name: wanted, model: 'unknown', previews: [] };
  const names = filters.map(({ name }) => name);
  refuse({ code: 'filter-unknown', typed, near: nearest(typed, names) });
}
