import { eventually } from '../../eventually.ts';
import type { Person, Seen } from './chat.ts';

/** The notices that an owner got of a community that waits for approval. */
export const notices = (owner: Person, id: string): readonly Seen[] =>
  owner
    .at('direct')
    .sees()
    .filter(({ text }) => text.includes(id));
export const noticeOf = (owner: Person, id: string): Promise<Seen> =>
  eventually(() => notices(owner, id)[0], `the notice of ${id}`);
export const decided = (owner: Person, notice: Seen, words: string): Promise<Seen> =>
  eventually(() => {
    const now = owner.again(notice);
    return now?.text.includes(words) && now;
  }, words);
