import { type Clock, isWithin, MINUTE_MS } from '../base/clock.ts';
import { keepLatest } from '../base/keep-latest.ts';

const MOST_REMEMBERED = 10_000;

/** Limits how often an address does something within a minute, in this process. */
export function createAddressLimit(clock: Pick<Clock, 'now'>, most: number) {
  /** The count of the minute that began then, by address. */
  const counts = new Map<string, { readonly since: number; readonly count: number }>();
  return (address: string): boolean => {
    const now = clock.now();
    const known = counts.get(address);
    const current = known !== undefined && isWithin(MINUTE_MS, known.since, now) ? known : undefined;
    const count = (current?.count ?? 0) + 1;
    counts.delete(address);
    counts.set(address, { since: current?.since ?? now, count });
    keepLatest(counts, MOST_REMEMBERED);
    return count <= most;
  };
}
