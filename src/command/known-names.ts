import type { Suggestion } from './desk.ts';
import type { ListName } from './ports.ts';
import type { ModelType } from './request.ts';

/** What is known of filters and aliases without asking anybody. */
export interface Memory {
  /**
   * Aliases of the community first, then the catalog, then custom filters of that model. The long lists are the same
   * objects each time, as long as nothing changes: what is prepared for searching them is kept with them.
   */
  references(
    community: string,
    catalog: ListName,
    model: ModelType | 'any',
  ): readonly (readonly Suggestion[])[];
  /** Whether one of these has this name; case, accents and punctuation do not matter. */
  knows(community: string, catalog: ListName, model: ModelType | 'any', name: string): boolean;
  /** Whether any list or alias has a name that is this one but for a slip of the finger, whichever model it is made for. */
  resembles(community: string, name: string): boolean;
  aliases(community: string): readonly Suggestion[];
  /** Waits a moment for names that were never looked up: the community's own and the catalog's. Never throws. */
  warm(community: string, catalog: ListName): Promise<void>;
}

/** The name in the label of a suggestion: "12 · Pop Art" is called "Pop Art". */
export const nameIn = (label: string): string => label.replace(/^\d+ · /, '');
