import type { Clock } from '../base/clock.ts';
import { keepLatest } from '../base/keep-latest.ts';

/** A token bucket, as `createTokenBucket` makes it. */
export type TokenBucket = ReturnType<typeof createTokenBucket>;

/**
 * A rate limit that allows bursts: each request takes a token, and tokens are refilled at a steady rate. `sharedBy`: how
 * many processes share the limit; each has an equal part of it.
 */
export function createTokenBucket(
  clock: Pick<Clock, 'now'>,
  limit: { readonly perSecond: number; readonly capacity: number },
  sharedBy: () => number = () => 1,
) {
  const perSecond = (): number => limit.perSecond / sharedBy();
  const capacity = (): number => Math.max(1, limit.capacity / sharedBy());
  let tokens = capacity();
  let filledAt = clock.now();
  const available = (): number => {
    const now = clock.now();
    tokens = Math.min(capacity(), tokens + (Math.max(0, now - filledAt) / 1000) * perSecond());
    filledAt = now;
    return tokens;
  };
  return {
    capacity,
    /** How many tokens are left; negative if more were taken than there were. */
    available,
    /** Takes a token, but does not reduce the number below `lowest`. */
    take(lowest = Number.NEGATIVE_INFINITY): void {
      tokens = Math.max(tokens - 1, Math.min(tokens, lowest));
    },
    /** How long until a token is available. */
    waitMs: (): number => Math.max(0, ((1 - available()) / perSecond()) * 1000),
  };
}

const MOST_REMEMBERED = 1_000;

/**
 * Size limits by key, each lowered to the next of `steps` (from high to low) when the platform refuses a size within the
 * limit.
 */
export function createLoweredLimits(steps: readonly number[]) {
  const lowered = new Map<string, number>();
  const of = (key: string, initial: number): number => lowered.get(key) ?? initial;
  return {
    of,
    /** Lowers the limit below the `refused` size; false if there is no lower step. */
    lower(key: string, initial: number, refused: number): boolean {
      const next = steps.find((step) => step < Math.min(of(key, initial), refused));
      if (next === undefined) return false;
      lowered.set(key, next);
      keepLatest(lowered, MOST_REMEMBERED);
      return true;
    },
  };
}
