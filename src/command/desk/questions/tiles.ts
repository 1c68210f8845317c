import { defined } from '../../../base/defined.ts';
import type { Tile } from '../../view.ts';

export interface Choosable {
  /** What a person would type. */
  readonly value: string;
  readonly action: string;
  readonly name: string;
  readonly preview?: string | undefined;
}

/** On one page: more fit in no menu of Discord. */
export const TILES_PER_PAGE = 25;

/** Numbers as in the catalog; what has none gets a letter, which is its own on the page only. */
export function tilesOf(list: readonly Choosable[]): readonly Tile[] {
  let letters = 0;
  return list.map(({ value, action, name, preview }) => ({
    action,
    label: /^\d+$/.test(value) ? value : String.fromCharCode(65 + letters++),
    name,
    ...defined({ preview }),
  }));
}

/** What a screen reader says of the sheet. */
export function sheetText(title: string, tiles: readonly Tile[]): string {
  return `${title}: ${tiles.map(({ label, name }) => `${label} ${name}`).join(', ')}`;
}
