import type { CatalogName, Gender, ModelType } from '../kinds/choices.ts';
import type { Media, Tile } from './view.ts';

export interface CatalogEntry {
  /** What a person types to use it: a number or a UUID. */
  readonly reference: string;
  readonly name: string;
  readonly model: ModelType | 'unknown';
  /** Preview URL at the service, if any. */
  readonly preview?: string;
}

/** Filters that come first, as `filterKey` names them. */
export interface FilterOrder {
  /** What the caller used last. */
  readonly recent: readonly string[];
  /** What the community uses most. */
  readonly used: readonly string[];
  /** What the caller chose last. */
  readonly gender?: Gender;
}

export interface CatalogPort {
  /** With the aliases of the community; the best matches if something is searched for. */
  list(catalog: CatalogName, search?: string): Promise<readonly CatalogEntry[]>;
  /** The same without a search, as far as it is in memory. */
  known(catalog: CatalogName): readonly CatalogEntry[];
  /** Never throws. `alone`: only the caller sees what is ordered by it, so it may reveal private jobs. */
  order(alone?: boolean): Promise<FilterOrder>;
  /** The pictures of these as one; undefined if that cannot be drawn now, or where every tile has its own. */
  sheet(tiles: readonly Tile[], alt: string): Promise<Media | undefined>;
}
