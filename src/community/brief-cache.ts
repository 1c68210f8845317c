import type { Clock } from '../base/clock.ts';
import { keepLatest } from '../base/keep-latest.ts';

/**
 * Loads what belongs to a key, once for all who ask meanwhile and for `freshMs` after it has come; with `isStrict` for so long after
 * it was asked for, so that a load that hangs blocks no later caller. A failure is not kept.
 */
export function createBriefCache<T>(
  load: (key: string) => Promise<T>,
  clock: Pick<Clock, 'now'>,
  options: { readonly freshMs: number; readonly most: number; readonly isStrict?: true },
) {
  const { freshMs, most, isStrict = false } = options;
  const kept = new Map<string, { readonly value: Promise<T>; until: number }>();
  return {
    get(key: string): Promise<T> {
      const known = kept.get(key);
      if (known !== undefined && clock.now() < known.until) return known.value;
      const value = load(key);
      const entry = { value, until: isStrict ? clock.now() + freshMs : Number.POSITIVE_INFINITY };
      kept.delete(key);
      kept.set(key, entry);
      keepLatest(kept, most);
      value.then(
        () => {
          if (!isStrict) entry.until = clock.now() + freshMs;
        },
        () => {
          if (kept.get(key) === entry) kept.delete(key);
        },
      );
      return value;
    },
    forget: (key: string): void => void kept.delete(key),
    clear: (): void => kept.clear(),
  };
}
