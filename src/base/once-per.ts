import type { Clock } from './clock.ts';
import { keepLatest } from './keep-latest.ts';

const MOST_REMEMBERED = 5_000;

/**
 * Creates a function that returns true at most once per key within this time, by default an hour. It is no Keyv, because two
 * who ask a Keyv at the same moment would both be told that it has nothing.
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
  /** Forgets a key after its action has failed, so that the next call returns true again. */
  const forget = (what: string): void => void told.delete(what);
  return Object.assign(isFirst, { forget });
}
