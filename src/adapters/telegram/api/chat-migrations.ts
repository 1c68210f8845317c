import { isFault } from './fault.ts';
import type { TelegramParts } from './options.ts';
import { canBecome, type MessageCard, messageKey } from './refs.ts';

/** As long as jobs are kept. */
const RELOCATED_MS = 31 * 24 * 3_600_000;

/** A group that becomes a supergroup gets a new id. */
export function createMigrations(
  options: Pick<TelegramParts, 'state' | 'log' | 'members' | 'stop' | 'migrated'>,
) {
  const record = async (from: number, to: number): Promise<void> => {
    if (!canBecome(from, to))
      return options.log.warn({ from, to }, 'Telegram named a new id for a chat that can have none');
    const key = `telegram:migrated:${from}`;
    let isDone = false;
    const isKnown = async (): Promise<boolean> => (await options.state.get<number>(key)) === to;
    if (await isKnown()) return;
    const move = async (): Promise<void> => {
      isDone = await isKnown();
      if (isDone) return;
      await options.migrated(`telegram:${from}`, `telegram:${to}`);
      // After the hook: if that fails, it is called again at the next update or error that names the migration.
      await options.state.set(key, to);
      isDone = true;
      options.log.info({ from, to }, 'a group became a supergroup');
    };
    // Telegram announces it in both chats, which two processes may handle.
    await options.members.hold(`telegram-migration:${from}`, move, options.stop);
    if (!isDone) throw new Error('Stopped before the records of a group could follow it.');
  };
  /** Runs again with the new id when Telegram names one. */
  const follow = async <T>(chat: number, run: (chat: number) => Promise<T>): Promise<T> => {
    try {
      return await run(chat);
    } catch (error) {
      if (!isFault(error, 'migrated') || error.migratedTo === undefined) throw error;
      if (!canBecome(chat, error.migratedTo)) throw error;
      await record(chat, error.migratedTo);
      return await run(error.migratedTo);
    }
  };
  return {
    record,
    follow,
    /**
     * Message ids do not survive a migration: in the supergroup an old card's id is another message. So the card is sent again, once,
     * and edited under its new id from then on. Runs with the card or its replacement, which `sendNew` creates in the new chat.
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
