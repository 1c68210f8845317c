import { keepLatest } from '../base/keep-latest.ts';

const WINDOW_MS = 60_000;
const MAX_PER_WINDOW = 10;
const MAX_KINDS = 500;

/**
 * Limits repeated lines of one kind: in an outage every job logs the same error. Returns undefined when the line is to be
 * dropped, otherwise how many of its kind were dropped before it.
 */
export function createRepeatLimit(now: () => number): (kind: string) => number | undefined {
  const kinds = new Map<string, { since: number; count: number; suppressed: number }>();
  return (kind) => {
    const at = now();
    const known = kinds.get(kind);
    if (known !== undefined && Math.abs(at - known.since) < WINDOW_MS) {
      known.count += 1;
      if (known.count <= MAX_PER_WINDOW) return 0;
      known.suppressed += 1;
      return undefined;
    }
    kinds.delete(kind);
    kinds.set(kind, { since: at, count: 1, suppressed: 0 });
    keepLatest(kinds, MAX_KINDS);
    return known?.suppressed ?? 0;
  };
}
