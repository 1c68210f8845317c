import type { Clock } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import { createTokenBucket } from '../../../base/token-bucket.ts';

/**
 * What cosmetic edits may cost. Discord allows a bot 50 requests a second in all; these get a part of them, so that
 * first answers and results never wait behind a progress bar. With many jobs the bars simply move less often.
 */
export interface Budget {
  /** Whether this edit may be sent now, is there already, or has no room for now. */
  pass(card: string, content: string): 'go' | 'unchanged' | 'later';
  forget(card: string): void;
}

export interface BudgetLimits {
  readonly perSecond: number;
  readonly perCardMs: number;
  /** Cards remembered at once; the one untouched longest is forgotten first. */
  readonly cards: number;
}

export const createBudget = (
  clock: Clock,
  limits: BudgetLimits = { perSecond: 20, perCardMs: 3_000, cards: 20_000 },
): Budget => {
  const last = new Map<string, { readonly at: number; readonly content: string }>();
  const bucket = createTokenBucket(clock, { perSecond: limits.perSecond, capacity: limits.perSecond });

  return {
    pass(card, content) {
      const now = clock.now();
      const before = last.get(card);
      if (before?.content === content) return 'unchanged';
      if (before !== undefined && now - before.at < limits.perCardMs) return 'later';
      if (bucket.available() < 1) return 'later';
      bucket.take();
      last.delete(card);
      last.set(card, { at: now, content });
      keepLatest(last, limits.cards);
      return 'go';
    },
    forget: (card) => void last.delete(card),
  };
};
