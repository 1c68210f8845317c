import type { Clock } from '../base/clock.ts';
import { keepLatest } from '../base/keep-latest.ts';

/**
 * Loads what belongs to a key, once for all who ask within `freshMs`, so that a load that hangs blocks no later caller. A failure is not
 * kept. No Keyv, because what is forgotten after a change must be forgotten at once: a Keyv deletes a few turns later, and a load that
 * began before the change would be stored after it.
 */
export function createBriefCache<T>(
  load: (key: string) => Promise<T>,
  clock: Pick<Clock, 'now'>,
  { freshMs, most }: { readonly freshMs: number; readonly most: number },
) {
  const kept = new Map<string, { readonly value: Promise<T>; readonly until: number }>();
  return {
    get(key: string): Promise<T> {
      const known = kept.get(key);
      if (known !== undefined && clock.now() < known.until) return known.value;
      const value = load(key);
      const entry = { value, until: clock.now() + freshMs };
      kept.delete(key);
      kept.set(key, entry);
      keepLatest(kept, most);
      value.catch(() => {
        if (kept.get(key) === entry) kept.delete(key);
      });
      return value;
    },
    forget: (key: string): void => void kept.delete(key),
    clear: (): void => kept.clear(),
  };
}

interface Known<T> {
  value?: T;
  /** When to load it again. */
  nextAt: number;
  loading?: { readonly since: number; readonly done: Promise<void> } | undefined;
}

/**
 * What was last loaded for a key, at once. What is old is loaded again in the background, one load of a key at a time; what was
 * loaded before stays when that fails. No Keyv, because a Keyv forgets what is old, and answers with a promise.
 */
export function createBackgroundCache<Key extends string, T>(
  load: (key: Key, before: T | undefined) => Promise<T>,
  clock: Pick<Clock, 'now'>,
  options: {
    readonly freshMs: (key: Key) => number;
    /** Pause after a failure. */
    readonly retryMs: number;
    readonly most: number;
    readonly onError: (error: unknown, key: Key) => void;
  },
) {
  const all = new Map<Key, Known<T>>();
  const refresh = async (key: Key, known: Known<T>): Promise<void> => {
    try {
      known.value = await load(key, known.value);
      known.nextAt = clock.now() + options.freshMs(key);
    } catch (error) {
      known.nextAt = clock.now() + options.retryMs;
      options.onError(error, key);
    }
    known.loading = undefined;
  };
  return {
    get(key: Key): Readonly<Known<T>> {
      const known = all.get(key) ?? { nextAt: 0 };
      all.delete(key);
      all.set(key, known);
      keepLatest(all, options.most);
      if (known.loading === undefined && clock.now() >= known.nextAt)
        known.loading = { since: clock.now(), done: refresh(key, known) };
      return known;
    },
    forget: (key: Key): void => void all.delete(key),
  };
}
