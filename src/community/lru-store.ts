import type { Clock } from '../base/clock.ts';
import { keepLatest } from '../base/keep-latest.ts';

/**
 * The store of a Keyv in memory: an LRU cache of `most` values, each with a life of `ttlMs` by the program's clock. Keyv's
 * own store has no bound, and a `ttl` that is given to Keyv counts from Date.now, which can be set back and which no fake
 * clock moves.
 */
export function createLruStore(options: {
  readonly most: number;
  readonly ttlMs: number;
  readonly clock: Pick<Clock, 'now'>;
}) {
  const { most, ttlMs, clock } = options;
  /** The entries in the order of their last use, because a Map keeps insertion order. */
  const kept = new Map<string, { readonly entry: unknown; readonly until: number }>();
  const find = (key: string) => {
    const found = kept.get(key);
    if (found === undefined || clock.now() < found.until) return found;
    kept.delete(key);
    return undefined;
  };
  return {
    get(key: string): unknown {
      const found = find(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.entry;
    },
    has: (key: string): boolean => find(key) !== undefined,
    set(key: string, entry: unknown): void {
      kept.delete(key);
      kept.set(key, { entry, until: clock.now() + ttlMs });
      keepLatest(kept, most);
    },
    delete: (key: string): boolean => kept.delete(key),
    clear: (): void => kept.clear(),
  };
}
