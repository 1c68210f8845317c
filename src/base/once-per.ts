import type { Clock } from './clock.ts';
import { keepLatest } from './keep-latest.ts';

const MOST_REMEMBERED = 5_000;

interface OncePer {
  (what: string): boolean;
  /** What followed has failed: the next one is true again. */
  forget(what: string): void;
}

/** Returns true at most once per key within this time; an hour unless given. */
export function createOncePer(clock: Pick<Clock, 'now'>, ms = 3_600_000): OncePer {
  const told = new Map<string, number>();
  const isFirst = (what: string): boolean => {
    if (clock.now() - (told.get(what) ?? Number.NEGATIVE_INFINITY) < ms) return false;
    told.delete(what);
    told.set(what, clock.now());
    keepLatest(told, MOST_REMEMBERED);
    return true;
  };
  return Object.assign(isFirst, { forget: (what: string) => void told.delete(what) });
}
