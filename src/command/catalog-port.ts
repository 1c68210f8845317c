import type { CatalogName, FilterModel } from '../kinds/choices.ts';
import type { Media, Tile } from './view.ts';

/** A filter or style, as lists show it. */
export interface CatalogEntry {
  /** The text that a person types to use the filter: a number or a UUID. */
  readonly reference: string;
  readonly name: string;
  readonly model: FilterModel | 'unknown';
  /** Preview URL at the service, if any. */
  readonly preview?: string;
}

/** What a person chose last for these options, as it is typed: it is offered first, and never taken without a press. */
export type LastChoices = Readonly<Partial<Record<LastOption, string>>>;
export const LAST_OPTIONS = ['gender', 'ratio', 'look', 'private'] as const;
export type LastOption = (typeof LAST_OPTIONS)[number];
export const isLastOption = (name: string): name is LastOption => LAST_OPTIONS.some((each) => each === name);

/** The filters that come first in a list, as `filterKey` names them, and the caller's last choices. */
export interface FilterOrder {
  /** The filters that the caller used last. */
  readonly recent: readonly string[];
  /** The filters that the community uses most. */
  readonly used: readonly string[];
  readonly last?: LastChoices;
}

/** The filters and styles that the caller can use in this place. */
export interface CatalogPort {
  /** All entries and the aliases of the community, or the best matches if something is searched for. */
  list(catalog: CatalogName, search?: string): Promise<readonly CatalogEntry[]>;
  /** The entries that are in memory, without a call to the service. */
  known(catalog: CatalogName): readonly CatalogEntry[];
  /** Never throws. `alone`: only the caller sees what is ordered by it, so it may reveal private jobs. */
  order(alone?: boolean): Promise<FilterOrder>;
  /** One picture of all tiles; undefined if it cannot be drawn now, or where every tile is shown with a picture of its own. */
  sheet(tiles: readonly Tile[], alt: string): Promise<Media | undefined>;
}
