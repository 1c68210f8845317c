/** Processes on one PostgreSQL, for tests of their inbox. */
import type { Inbox, InboxEntry } from '../../src/base/members/inbox.ts';
import type { Members } from '../../src/base/members/members.ts';
import { createLog } from '../../src/log/log.ts';
import { openShared } from '../../src/store/postgres/store.ts';
import type { Store } from '../../src/store/tables/store.ts';

const key = new Uint8Array(32).fill(7);

export interface Joined extends AsyncDisposable {
  readonly store: Store;
  readonly inbox: Inbox;
  readonly members: Members;
}

/** As one process does. */
export const joinStore = async (
  url: string,
  {
    keys = [key],
    now = Date.now,
  }: { readonly keys?: readonly Uint8Array[]; readonly now?: () => number } = {},
): Promise<Joined> => {
  const log = createLog({ level: 'silent', secrets: [] });
  const { store, members, close } = await openShared({ url, keys, now, log, version: '1', load: () => ({}) });
  return { store, members, inbox: store.inbox, [Symbol.asyncDispose]: close };
};

export const entry = (id: number, lane = 'a', person = 'telegram:1'): InboxEntry => ({
  id,
  lane,
  person,
  body: { update_id: id },
});
