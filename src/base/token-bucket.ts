import type { Clock } from './clock.ts';

/** A rate limit that allows bursts: a token for each request, refilled at a steady rate. */
export interface TokenBucket {
  readonly capacity: number;
  /** Negative while more was taken than there was. */
  available(): number;
  /** Takes one, but not below `lowest`. */
  take(lowest?: number): void;
  /** Until one is available. */
  waitMs(): number;
}

export function createTokenBucket(
  clock: Pick<Clock, 'now'>,
  { perSecond, capacity }: { readonly perSecond: number; readonly capacity: number },
): TokenBucket {
  let tokens = capacity;
  let filledAt = clock.now();
  const available = (): number => {
    const now = clock.now();
    tokens = Math.min(capacity, tokens + (Math.max(0, now - filledAt) / 1000) * perSecond);
    filledAt = now;
    return tokens;
  };
  return {
    capacity,
    available,
    take(lowest = Number.NEGATIVE_INFINITY) {
      tokens = Math.max(tokens - 1, Math.min(tokens, lowest));
    },
    waitMs: () => Math.max(0, ((1 - available()) / perSecond) * 1000),
  };
}
