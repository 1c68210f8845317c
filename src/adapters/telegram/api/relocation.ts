import type { KeyValue } from '../../../base/key-value.ts';
import type { Migrations } from './chat-migrations.ts';
import { isFault } from './fault.ts';
import type { Card } from './refs.ts';

/**
 * Message ids do not survive a migration: in the supergroup the number of an old card is another message, perhaps
 * somebody else's. What is to be changed there is shown anew, once, and changed under its new number from then on.
 */
export interface Relocation {
  /** With the card, or with the one that took its place. `anew`: nothing has, in the chat that it moved to. */
  follow<T>(
    card: Card,
    run: (card: Card) => Promise<T>,
    anew: (chat: number) => Promise<{ readonly card?: Card; readonly outcome: T }>,
  ): Promise<T>;
}

/** As long as jobs are kept: nobody asks for a card that is older. */
const rememberMs = 31 * 24 * 3_600_000;

export const createRelocation = (options: {
  readonly state: KeyValue;
  readonly migrations: Migrations;
}): Relocation => {
  const { state, migrations } = options;
  return {
    async follow(card, run, anew) {
      try {
        return await run(card);
      } catch (error) {
        if (!isFault(error, 'migrated') || error.migratedTo === undefined) throw error;
        await migrations.record(card.chat, error.migratedTo);
        const key = `telegram:relocated:${card.chat}:${card.message}`;
        const there = await state.get<Card>(key);
        if (there !== undefined) return await run(there);
        const { card: placed, outcome } = await anew(error.migratedTo);
        if (placed !== undefined) await state.set(key, placed, rememberMs);
        return outcome;
      }
    },
  };
};
