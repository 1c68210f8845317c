import type { Clock } from '../base/clock.ts';
import { keepLatest } from '../base/keep-latest.ts';

/** Loads what belongs to a key, once for all who ask meanwhile and for `freshMs` after it has come. A failure is not kept. */
export function createBriefCache<T>(
  load: (key: string) => Promise<T>,
  clock: Pick<Clock, 'now'>,
  { freshMs, most }: { readonly freshMs: number; readonly most: number },
) {
  const kept = new Map<string, { readonly value: Promise<T>; until: number }>();
  return {
    get(key: string): Promise<T> {
      const known = kept.get(key);
      if (known !== undefined && clock.now() < known.until) return known.value;
      const value = load(key);
      const entry = { value, until: Number.POSITIVE_INFINITY };
      kept.delete(key);
      kept.set(key, entry);
      keepLatest(kept, most);
      value.then(
        () => {
          entry.until = clock.now() + freshMs;
        },
        () => {
          if (kept.get(key) === entry) kept.delete(key);
        },
      );
      return value;
    },
    forget: (key: string): void => void kept.delete(key),
  };
}
