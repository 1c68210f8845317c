import { isUuid } from '../command/fits.ts';
import type { CustomFilter } from '../generation-client/lists.ts';
import { explain } from './alias-service.ts';
import { CommunityProblem } from './problem.ts';

/** What was typed as the target of an alias: a UUID, or the name of a custom filter. */
export const createAliasTarget =
  (
    customFilters: () => Promise<readonly CustomFilter[]>,
    nearest: (typed: string, names: readonly string[]) => readonly string[],
  ) =>
  async (typed: string): Promise<CustomFilter> => {
    if (/^\d+$/.test(typed)) throw new CommunityProblem({ code: 'filter-is-number', typed });
    const filters = await explain(customFilters());
    const wanted = typed.toLowerCase();
    const found = filters.find(
      (filter) => filter.id.toLowerCase() === wanted || filter.name.toLowerCase() === wanted,
    );
    if (found) return found;
    // A paid filter of somebody else's making need not be on our list: its type is then asked for.
    if (isUuid(typed)) return { id: wanted, name: wanted, model: 'unknown', previews: [] };
    const near = nearest(
      typed,
      filters.map((filter) => filter.name),
    );
    throw new CommunityProblem({ code: 'filter-unknown', typed, near });
  };
