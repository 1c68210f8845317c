import type { Update } from 'grammy/types';
import type { KeyValue } from '../../../base/key-value.ts';
import type { InboxEntry, InboxPut } from '../../../base/members/inbox.ts';
import { personKey } from '../../../command/place.ts';

const MOST_AT_ONCE = 100;

/** `full`: there is no room for it now. */
export type Stored = 'stored' | 'full';

interface Arriving extends PromiseWithResolvers<Stored> {
  readonly entry: InboxEntry;
}

/** Updates of a chat, messages and presses, are handled by one process at a time. */
function laneOf({ message, callback_query: query, my_chat_member: member, update_id: id }: Update): string {
  const chat = (message ?? member)?.chat.id ?? query?.message?.chat.id ?? query?.chat_instance;
  return `telegram:${chat ?? `update:${id}`}`;
}

export function inboxEntryOf(update: Update): InboxEntry {
  const sender = (update.message ?? update.callback_query ?? update.my_chat_member)?.from?.id;
  return {
    id: update.update_id,
    lane: laneOf(update),
    person: sender === undefined ? undefined : personKey({ platform: 'telegram', id: String(sender) }),
    body: update,
  };
}

/** What versions without an inbox left: the numbers of updates of the last day that were handled, and those still to be handled. */
export function createEarlier(state: KeyValue) {
  const kept = 'telegram:kept';
  let latest: { readonly key: string; readonly ids: Promise<readonly number[] | undefined> } | undefined;
  return {
    async isHandled(id: number): Promise<boolean> {
      const key = `telegram:handled:${Math.floor(id / 100)}`;
      if (latest?.key !== key) latest = { key, ids: state.get<number[]>(key) };
      const { ids } = latest;
      ids.catch(() => {
        if (latest?.ids === ids) latest = undefined;
      });
      return (await ids)?.includes(id) === true;
    },
    unhandled: async (): Promise<readonly Update[]> => (await state.get<Update[]>(kept)) ?? [],
    /** They are in the inbox. */
    stored: () => state.delete(kept),
  };
}

/** Stores updates; those that arrive during a write share the next one. They are handled before `onDisk` resolves. */
export function createUpdateStorage(
  put: (entries: readonly InboxEntry[]) => Promise<Pick<InboxPut, 'full'>>,
  onDisk: () => Promise<void>,
) {
  const waiting: Arriving[] = [];
  let isWriting = false;

  const write = async (batch: readonly Arriving[]): Promise<void> => {
    const fail = (error: unknown): void => {
      for (const { reject } of batch) reject(error);
    };
    try {
      const { full } = await put(batch.map(({ entry }) => entry));
      onDisk().then(() => {
        for (const { entry, resolve } of batch) resolve(full.has(entry.id) ? 'full' : 'stored');
      }, fail);
    } catch (error) {
      fail(error);
    }
  };
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    // Updates of one batch arrive in the same turn.
    await Promise.resolve();
    while (waiting.length > 0) await write(waiting.splice(0, MOST_AT_ONCE));
    isWriting = false;
  };

  /** Resolves when Telegram need not deliver it again, unless there is no room. */
  return (entry: InboxEntry): Promise<Stored> => {
    const mine: Arriving = { entry, ...Promise.withResolvers<Stored>() };
    waiting.push(mine);
    if (!isWriting) void writeAll();
    return mine.promise;
  };
}
