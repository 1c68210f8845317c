import { isFault } from './fault.ts';
import type { TelegramDependencies } from './options.ts';
import { canMigrateTo, type MessageCard, messageKey } from './refs.ts';

/** How long the new place of a card is stored: as long as jobs are kept. */
const RELOCATED_MS = 31 * 24 * 3_600_000;

/** Follows groups that become supergroups and get a new id: moves their records, and repeats calls with the new id. */
export function createMigrations(
  options: Pick<TelegramDependencies, 'state' | 'log' | 'members' | 'stop' | 'migrated'>,
) {
  const record = async (from: number, to: number): Promise<void> => {
    if (!canMigrateTo(from, to))
      return options.log.warn({ from, to }, 'Telegram named a new id for a chat that can have none');
    const key = `telegram:migrated:${from}`;
    let isDone = false;
    const isKnown = async (): Promise<boolean> => (await options.state.get<number>(key)) === to;
    if (await isKnown()) return;
    const move = async (): Promise<void> => {
      isDone = await isKnown();
      if (isDone) return;
      await options.migrated(`telegram:${from}`, `telegram:${to}`);
      // This is recorded after the hook, so that a hook that failed is called again at the next update or error that names
      // the migration.
      await options.state.set(key, to);
      isDone = true;
      options.log.info({ from, to }, 'a group became a supergroup');
    };
    // The lock is needed because Telegram announces the migration in both chats, which two processes may handle.
    await options.members.hold(`telegram-migration:${from}`, move, options.stop);
    if (!isDone) throw new Error('Stopped before the records of a group could follow it.');
  };
  /** Runs a call, and once more with the new id if Telegram names one. */
  const follow = async <T>(chat: number, run: (chat: number) => Promise<T>): Promise<T> => {
    try {
      return await run(chat);
    } catch (error) {
      if (!isFault(error, 'migrated') || error.migratedTo === undefined) throw error;
      if (!canMigrateTo(chat, error.migratedTo)) throw error;
      await record(chat, error.migratedTo);
      return await run(error.migratedTo);
    }
  };
  return {
    record,
    follow,
    /**
     * Runs with a card, or with its replacement in the new chat. Message ids do not survive a migration: in the supergroup
     * an old card's id is another message. The card is therefore sent again once, with `sendNew`, and edited under its new
     * id from then on.
     */
    followCard: <T extends { readonly card: MessageCard } | undefined>(
      card: MessageCard,
      run: (card: MessageCard) => Promise<T>,
      sendNew: (chat: number) => Promise<T>,
    ): Promise<T> =>
      follow(card.chat, async (chat) => {
        if (chat === card.chat) return await run(card);
        const key = `telegram:relocated:${messageKey(card)}`;
        const relocated = await options.state.get<MessageCard>(key);
        if (relocated !== undefined) return await run(relocated);
        const sent = await sendNew(chat);
        if (sent !== undefined) await options.state.set(key, sent.card, RELOCATED_MS);
        return sent;
      }),
  };
}

export type Migrations = ReturnType<typeof createMigrations>;
