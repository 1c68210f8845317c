import type { CommandContext } from '../command.ts';
import type { Button, Line } from '../view.ts';
import { pager } from './question-view.ts';

export interface Page<T> {
  readonly list: readonly T[];
  /** "Page 1 of 3"; nothing if there is only one. */
  readonly note: readonly Line[];
  readonly turning: { readonly buttons?: readonly (readonly Button[])[] };
}

/** The requested page of a list, with the buttons that turn it. */
export async function pageOf<T>(
  all: readonly T[],
  perPage: number,
  { page, words, keep }: Pick<CommandContext, 'page' | 'words' | 'keep'>,
): Promise<Page<T>> {
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const shown = Math.min(page, pages - 1);
  const list = all.slice(shown * perPage, (shown + 1) * perPage);
  if (pages === 1) return { list, note: [], turning: {} };
  return {
    list,
    note: [words.ask.pages(shown + 1, pages)],
    turning: { buttons: [pager(await keep(), shown, pages, words)] },
  };
}
