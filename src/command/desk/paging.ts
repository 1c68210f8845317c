import type { CommandContext } from '../command.ts';
import type { Button, Line } from '../view.ts';
import { pager } from './question-view.ts';

export interface Page<T> {
  readonly list: readonly T[];
  /** Which page of how many it is; nothing where there is only one. */
  readonly note: readonly Line[];
  readonly turning: { readonly buttons?: readonly (readonly Button[])[] };
}

/** The page of a long list that is wanted, with what turns it. */
export const pageOf = async <T>(
  all: readonly T[],
  perPage: number,
  { page, words, keep }: Pick<CommandContext, 'page' | 'words' | 'keep'>,
): Promise<Page<T>> => {
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const shown = Math.min(page, pages - 1);
  const list = all.slice(shown * perPage, (shown + 1) * perPage);
  if (pages === 1) return { list, note: [], turning: {} };
  return {
    list,
    note: [words.ask.pages(shown + 1, pages)],
    turning: { buttons: [pager(await keep(), shown, pages, words)] },
  };
};
