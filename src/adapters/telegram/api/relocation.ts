import type { KeyValue } from '../../../base/key-value.ts';
import type { Migrations } from './chat-migrations.ts';
import { isFault } from './fault.ts';
import type { Card } from './refs.ts';

/** As long as jobs are kept. */
const REMEMBER_MS = 31 * 24 * 3_600_000;

/**
 * Message ids do not survive a migration: in the supergroup an old card's id is another message. So the card is sent again,
 * once, and edited under its new id from then on.
 */
export function createRelocation({
  state,
  migrations,
}: {
  readonly state: KeyValue;
  readonly migrations: Migrations;
}) {
  /** Runs with the card or its replacement; `sendNew` creates the replacement in the new chat. */
  return async <T>(
    card: Card,
    run: (card: Card) => Promise<T>,
    sendNew: (chat: number) => Promise<{ readonly card?: Card; readonly outcome: T }>,
  ): Promise<T> => {
    try {
      return await run(card);
    } catch (error) {
      if (!isFault(error, 'migrated') || error.migratedTo === undefined) throw error;
      await migrations.record(card.chat, error.migratedTo);
      const key = `telegram:relocated:${card.chat}:${card.message}`;
      const relocated = await state.get<Card>(key);
      if (relocated !== undefined) return await run(relocated);
      const { card: placed, outcome } = await sendNew(error.migratedTo);
      if (placed !== undefined) await state.set(key, placed, REMEMBER_MS);
      return outcome;
    }
  };
}
