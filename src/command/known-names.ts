import type { Suggestion } from './desk.ts';
import type { ListName, ModelType } from './request.ts';

/** Names of filters and aliases that are in memory. */
export interface KnownNames {
  /**
   * Aliases of the community first, then the catalog, then custom filters of that model. Unchanged lists are the same
   * objects each time, because search indexes are cached by list.
   */
  references(
    community: string,
    catalog: ListName,
    model: ModelType | 'any',
  ): readonly (readonly Suggestion[])[];
  /** Whether one of these has this name; case, accents and punctuation do not matter. */
  knows(community: string, catalog: ListName, model: ModelType | 'any', name: string): boolean;
  /** Whether any list or alias has this name but for a typo, for any model. */
  resembles(community: string, name: string): boolean;
  aliases(community: string): readonly Suggestion[];
  /** Waits briefly for names that are not loaded yet: the community's and the catalog's. Never throws. */
  warm(community: string, catalog: ListName): Promise<void>;
}

/** The name in the label of a suggestion: "Pop Art" in "12 · Pop Art". */
export function nameIn(label: string): string {
  return label.replace(/^\d+ · /, '');
}
