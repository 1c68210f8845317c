import type { Clock } from '../base/clock.ts';
import { keepLatest } from '../base/keep-latest.ts';

/**
 * A cache that loads a value once for all callers within `freshMs`. A load that hangs blocks no caller after that time, and
 * a failure is not cached. It is not a Keyv, because an entry must be forgotten at once after a change: a Keyv deletes a few
 * turns of the event loop later, and would store the value of a load that began before the change.
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
  /** The time from which the value is loaded again. */
  nextAt: number;
  loading?: { readonly since: number; readonly done: Promise<void> } | undefined;
}

/**
 * A cache that returns the last loaded value of a key at once (stale-while-revalidate). An old value is loaded again in the
 * background, one load of a key at a time, and stays if that fails. It is not a Keyv, because a Keyv forgets old values and
 * answers with a promise.
 */
export function createBackgroundCache<Key extends string, T>(
  load: (key: Key, before: T | undefined) => Promise<T>,
  clock: Pick<Clock, 'now'>,
  options: {
    readonly freshMs: (key: Key) => number;
    /** The pause after a load that failed. */
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
