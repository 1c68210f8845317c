import type { CommandContext } from '../command.ts';
import { pager, slicePage } from './question-view.ts';

/** The requested page of a list, with a note ("Page 1 of 3") and buttons if there are more. */
export async function pageOf<T>(
  all: readonly T[],
  perPage: number,
  { page, words, keep }: Pick<CommandContext, 'page' | 'words' | 'keep'>,
) {
  const { list, shown, pages } = slicePage(all, perPage, page);
  if (pages === 1) return { list, note: [], turning: {} };
  return {
    list,
    note: [words.ask.pages(shown + 1, pages)],
    turning: { buttons: [pager(await keep(), shown, pages, words)] },
  };
}
