import type { Clock } from '../clock.ts';
import { keepLatest } from '../keep-latest.ts';

const MOST_REMEMBERED = 5_000;

/** Returns true at most once per key within this time. */
export function createOncePer(clock: Pick<Clock, 'now'>, ms: number): (what: string) => boolean {
  const told = new Map<string, number>();
  return (what) => {
    if (clock.now() - (told.get(what) ?? Number.NEGATIVE_INFINITY) < ms) return false;
    told.delete(what);
    told.set(what, clock.now());
    keepLatest(told, MOST_REMEMBERED);
    return true;
  };
}
