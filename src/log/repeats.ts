import { keepLatest } from '../base/keep-latest.ts';

const windowMs = 60_000;
const maxPerWindow = 10;
const maxKinds = 500;

/**
 * Limits repeated lines of one kind: in an outage every job logs the same error. Returns undefined when the line is to be
 * dropped, otherwise how many of its kind were dropped before it.
 */
export function createRepeatLimit(now: () => number): (kind: string) => number | undefined {
  const kinds = new Map<string, { since: number; count: number; suppressed: number }>();
  return (kind) => {
    const at = now();
    const known = kinds.get(kind);
    if (known !== undefined && Math.abs(at - known.since) < windowMs) {
      known.count += 1;
      if (known.count <= maxPerWindow) return 0;
      known.suppressed += 1;
      return undefined;
    }
    kinds.delete(kind);
    kinds.set(kind, { since: at, count: 1, suppressed: 0 });
    keepLatest(kinds, maxKinds);
    return known?.suppressed ?? 0;
  };
}
