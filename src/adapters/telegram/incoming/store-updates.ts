import type { Update } from 'grammy/types';
import type { Inbox, InboxEntry } from '../../../base/members/inbox.ts';
import { personKey } from '../../../command/place.ts';

const MOST_AT_ONCE = 100;

/** `full`: there is no room for it now. */
export type Stored = 'handled' | 'full';

interface Arriving extends PromiseWithResolvers<Stored> {
  readonly entry: InboxEntry;
}

/** Updates of a chat, messages and presses, are handled by one process at a time. */
function laneOf({ message, callback_query: query, my_chat_member: member, update_id: id }: Update): string {
  const chat = (message ?? member)?.chat.id ?? query?.message?.chat.id ?? query?.chat_instance;
  return `telegram:${chat ?? `update:${id}`}`;
}

function entryOf(update: Update): InboxEntry {
  const sender = (update.message ?? update.callback_query ?? update.my_chat_member)?.from?.id;
  return {
    id: update.update_id,
    lane: laneOf(update),
    person: sender === undefined ? undefined : personKey({ platform: 'telegram', id: String(sender) }),
    body: update,
  };
}

/** Stores updates; those that arrive during a write share the next one. `stored` is called after each write. */
export function createUpdateStorage(inbox: Inbox, stored: (full: number) => void) {
  const arriving = new Map<number, Arriving>();
  const waiting: Arriving[] = [];
  let isWriting = false;

  const write = async (batch: readonly Arriving[]): Promise<void> => {
    try {
      const full = await inbox.put(batch.map(({ entry }) => entry));
      for (const { entry, resolve } of batch) resolve(full.has(entry.id) ? 'full' : 'handled');
      stored(full.size);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      for (const { entry } of batch) arriving.delete(entry.id);
    }
  };
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    // Updates of one batch arrive in the same turn.
    await Promise.resolve();
    while (waiting.length > 0) await write(waiting.splice(0, MOST_AT_ONCE));
    isWriting = false;
  };

  return (update: Update): Promise<Stored> => {
    const known = arriving.get(update.update_id);
    if (known) return known.promise;
    const mine: Arriving = { entry: entryOf(update), ...Promise.withResolvers<Stored>() };
    arriving.set(update.update_id, mine);
    waiting.push(mine);
    if (!isWriting) void writeAll();
    return mine.promise;
  };
}
