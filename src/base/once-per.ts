import type { Clock } from './clock.ts';
import { keepLatest } from './keep-latest.ts';

const MOST_REMEMBERED = 5_000;

/**
 * Returns true at most once per key within this time; an hour unless given. No Keyv, because two who ask a Keyv at the same moment
 * would both be told that it has nothing.
 */
export function createOncePer(clock: Pick<Clock, 'now'>, ms = 3_600_000) {
  const told = new Map<string, number>();
  const isFirst = (what: string): boolean => {
    if (clock.now() - (told.get(what) ?? Number.NEGATIVE_INFINITY) < ms) return false;
    told.delete(what);
    told.set(what, clock.now());
    keepLatest(told, MOST_REMEMBERED);
    return true;
  };
  /** What followed has failed: the next one is true again. */
  const forget = (what: string): void => void told.delete(what);
  return Object.assign(isFirst, { forget });
}
