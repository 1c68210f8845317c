import { defined } from '../../../base/defined.ts';
import type { CommandContext } from '../../command.ts';
import type { Button, Tile } from '../../view.ts';

/** Divides a list into rows of a width. */
export function rows<T>(all: readonly T[], width: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / width) }, (_, row) =>
    all.slice(row * width, (row + 1) * width),
  );
}

/** The part of a list that is on this page; the last one if there are fewer pages. */
export function slicePage<T>(all: readonly T[], perPage: number, page: number) {
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const current = Math.min(Math.max(0, page), pages - 1);
  return { list: all.slice(current * perPage, (current + 1) * perPage), current, pages };
}

/** The buttons to the page before and after, each only where there is such a page. */
export function pager(draft: string, page: number, pages: number): readonly Button[] {
  return [
    ...(page > 0 ? [{ action: `page:${draft}:${page - 1}`, label: '◀' }] : []),
    ...(page < pages - 1 ? [{ action: `page:${draft}:${page + 1}`, label: '▶' }] : []),
  ];
}

/** The requested page of a list, with a note ("Page 1 of 3") and buttons if there are more. */
export async function requestedPage<T>(
  all: readonly T[],
  perPage: number,
  { page, words, keep }: Pick<CommandContext, 'page' | 'words' | 'keep'>,
) {
  const { list, current, pages } = slicePage(all, perPage, page);
  if (pages === 1) return { list, note: [], turning: {} };
  return {
    list,
    note: [words.ask.pages(current + 1, pages)],
    turning: { buttons: [pager(await keep(), current, pages)] },
  };
}

/** An entry of a list of filters, from which a tile is made. */
export interface Choosable {
  /** The text that a person would type to choose it. */
  readonly value: string;
  readonly action: string;
  readonly name: string;
  readonly preview?: string | undefined;
}

/** The most tiles of one page: a menu of Discord takes no more. */
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

/** The text that a screen reader says of the sheet. */
export const sheetText = (title: string, tiles: readonly Tile[]): string =>
  `${title}: ${tiles.map(({ label, name }) => `${label} ${name}`).join(', ')}`;
