import { createLoweredLimits } from '../../limits.ts';
import { type Card, cardKey, DOCUMENTED_BYTES } from '../payloads/card-ref.ts';

/** Discord has named limits that it then refused (discord-api-docs#7603): what an interaction says counts up to this. */
const MOST_TRUSTED = 100 * 1024 ** 2;
/** Until September 2026 this was Discord's limit, and some of its routes still take no more. */
const FORMER_BYTES = 10 * 1024 ** 2;
/** Leaves room for the rest of a request that may have the former limit as a whole. */
const LOWEST_BYTES = 8 * 1024 ** 2;

const NEW_MESSAGES = 'new messages';
const keyOf = (card: Card | undefined): string => (card === undefined ? NEW_MESSAGES : cardKey(card));

const toldLimit = (card: Card | undefined): number =>
  card !== undefined && card.limit > 0 ? Math.min(card.limit, MOST_TRUSTED) : DOCUMENTED_BYTES;

export type UploadLimits = ReturnType<typeof createUploadLimits>;

/**
 * How many bytes a file may have: what the interaction of a card said, else what Discord documents, and less after Discord has
 * refused that. Without a card: in a new message of the bot.
 */
export function createUploadLimits() {
  const lowered = createLoweredLimits([DOCUMENTED_BYTES, FORMER_BYTES, LOWEST_BYTES]);
  return {
    of: (card?: Card): number => lowered.of(keyOf(card), toldLimit(card)),
    /** After a file of this size was refused. False if nothing smaller is left to try. */
    lower: (card: Card | undefined, refusedBytes: number): boolean =>
      lowered.lower(keyOf(card), toldLimit(card), refusedBytes),
  };
}
