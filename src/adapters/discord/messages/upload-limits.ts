import { createLoweredLimits } from '../../limits.ts';
import { type Card, cardKey, DOCUMENTED_BYTES } from '../payloads/card-ref.ts';

/**
 * The highest limit of an interaction that is trusted: Discord has named limits that it then refused
 * (discord-api-docs#7603).
 */
const MOST_TRUSTED = 100 * 1024 ** 2;
/** Discord's limit until September 2026, above which some of its routes still refuse files. */
const FORMER_BYTES = 10 * 1024 ** 2;
/** The lowest limit, which leaves room for the other parts of a request that as a whole may have the former limit. */
const LOWEST_BYTES = 8 * 1024 ** 2;

const NEW_MESSAGES = 'new messages';
const keyOf = (card: Card | undefined): string => (card === undefined ? NEW_MESSAGES : cardKey(card));

const toldLimit = (card: Card | undefined): number =>
  card !== undefined && card.limit > 0 ? Math.min(card.limit, MOST_TRUSTED) : DOCUMENTED_BYTES;

export type UploadLimits = ReturnType<typeof createUploadLimits>;

/**
 * Knows how many bytes a file may have: the limit that the interaction of a card named, else the one that Discord documents,
 * and a lower one after Discord has refused a file within that. Without a card, the limit is that of a new message of the
 * bot.
 */
export function createUploadLimits() {
  const lowered = createLoweredLimits([DOCUMENTED_BYTES, FORMER_BYTES, LOWEST_BYTES]);
  return {
    of: (card?: Card): number => lowered.of(keyOf(card), toldLimit(card)),
    /** Lowers the limit after Discord refused a file of this size; false if there is no lower limit to try. */
    lower: (card: Card | undefined, refusedBytes: number): boolean =>
      lowered.lower(keyOf(card), toldLimit(card), refusedBytes),
  };
}
