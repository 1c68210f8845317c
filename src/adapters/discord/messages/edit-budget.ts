import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import { createTokenBucket } from '../../limits.ts';

/** `cards`: how many cards are remembered; the least recently edited one is forgotten first. */
const STANDARD_LIMITS = { perSecond: 20, perCardMs: 3_000, cards: 20_000 };

/**
 * Limits cosmetic edits: Discord allows a bot 50 requests a second, and first answers and results must not wait behind
 * progress bars. With many jobs, bars move less often. `sharedBy`: how many processes use the bot's token.
 */
export function createEditBudget(clock: Clock, sharedBy: () => number, limits = STANDARD_LIMITS) {
  const { perSecond, perCardMs, cards } = limits;
  const last = new Map<string, { readonly at: number; readonly content: string }>();
  const bucket = createTokenBucket(clock, { perSecond, capacity: perSecond }, sharedBy);

  return {
    /**
     * Decides about an edit. `unchanged`: the card already shows this content. `later`: the limits allow no edit at the
     * moment.
     */
    pass(card: string, content: string): 'go' | 'unchanged' | 'later' {
      const now = clock.now();
      const before = last.get(card);
      if (before?.content === content) return 'unchanged';
      if (before !== undefined && now - before.at < perCardMs) return 'later';
      if (bucket.available() < 1) return 'later';
      bucket.take();
      last.delete(card);
      last.set(card, { at: now, content });
      keepLatest(last, cards);
      return 'go';
    },
    forget: (card: string): void => void last.delete(card),
  };
}
