import type { AliasDetails, AliasEntry, CatalogEntry } from '../../command/ports.ts';
import type { ModelType } from '../../command/request.ts';
import { called } from '../../command/search/fuzzy.ts';
import { isUuid } from '../../command/text/could-be-value.ts';
import type { Alias, AliasCalls } from '../../generation-client/aliases.ts';
import type { CustomFilter } from '../../generation-client/lists.ts';
import type { Purpose } from '../../generation-client/wire/call.ts';
import { GenerationError } from '../../generation-client/wire/errors.ts';
import { CommunityError } from '../community-error.ts';
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
    if (isServiceRefusal(error)) {
      throw new CommunityError({
        code: 'service-refused',
        detail: error.detail ?? error.code ?? error.message,
      });
    }
    if (error.kind === 'unauthorized') throw new CommunityError({ code: 'service-credentials' });
    if (error.kind === 'redirected') throw new CommunityError({ code: 'service-address' });
    throw new CommunityError({ code: 'service-unavailable' });
  }
}

/** Reads an alias after a change; when that fails, the change was made all the same. */
export async function readChanged(
  service: Pick<AliasCalls, 'resolve'>,
  id: string,
  filter: string,
  purpose: Purpose,
): Promise<Alias> {
  try {
    return await service.resolve(id, purpose);
  } catch (error) {
    if (!(error instanceof GenerationError) || isNotFound(error)) throw error;
    const unread = { label: undefined, project: undefined, createdAt: undefined, updatedAt: undefined };
    return { id, filter, ...unread, lastUsed: undefined, history: [] };
  }
}

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

const namesOf = ({ name }: CustomFilter): readonly string[] => [name];

/** Finds the target of an alias: a UUID, or a custom filter's name, preferably of the given model. */
export function createAliasTarget(
  customFilters: (purpose: Purpose) => Promise<readonly CustomFilter[]>,
  nearest: (typed: string, names: readonly string[]) => readonly string[],
) {
  return async (typed: string, purpose: Purpose, model?: ModelType): Promise<CustomFilter> => {
    if (/^\d+$/.test(typed)) throw new CommunityError({ code: 'filter-is-number' });
    const filters = await explained(customFilters(purpose));
    const wanted = typed.toLowerCase();
    const byId = filters.find((filter) => filter.id.toLowerCase() === wanted);
    if (byId) return byId;
    const named = called(typed, filters, namesOf);
    const [found] = [...named.filter((filter) => filter.model === model), ...named];
    if (found) return found;
    // Another account's paid filter is not on our list: the user is asked for its model.
    if (isUuid(typed)) return { id: wanted, name: wanted, model: 'unknown', previews: [] };
    const names = filters.map(({ name }) => name);
    throw new CommunityError({ code: 'filter-unknown', typed, near: nearest(typed, names) });
  };
}
