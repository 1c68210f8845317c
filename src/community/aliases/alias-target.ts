import type { ModelType } from '../../command/request.ts';
import { called } from '../../command/search/fuzzy.ts';
import { isUuid } from '../../command/text/could-be-value.ts';
import type { CustomFilter } from '../../generation-client/lists.ts';
import type { Purpose } from '../../generation-client/wire/call.ts';
import { CommunityError } from '../community-error.ts';
import { explained } from './alias-service.ts';

function namesOf({ name }: CustomFilter): readonly string[] {
  return [name];
}

/** Finds the target of an alias: a UUID, or a custom filter's name, preferably of the given model. */
export function createAliasTarget(
  customFilters: (purpose: Purpose) => Promise<readonly CustomFilter[]>,
  nearest: (typed: string, names: readonly string[]) => readonly string[],
) {
  return async (typed: string, purpose: Purpose, model?: ModelType): Promise<CustomFilter> => {
    if (/^\d+$/.test(typed)) throw new CommunityError({ code: 'filter-is-number', typed });
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
