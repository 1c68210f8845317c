import { keepLatest } from '../base/keep-latest.ts';

const WINDOW_MS = 60_000;
/** So many of a kind a minute tell everything that a thousand would. */
const MOST = 10;
const MOST_KINDS = 500;

/**
 * When everything fails for one reason, every command and every job says so. `undefined`: the line can be suppressed;
 * otherwise how many of its kind have been since the last one that was not.
 */
export function createRepeats(now: () => number): (kind: string) => number | undefined {
  const kinds = new Map<string, { since: number; count: number; suppressed: number }>();
  return (kind) => {
    const at = now();
    const known = kinds.get(kind);
    if (known !== undefined && Math.abs(at - known.since) < WINDOW_MS) {
      known.count += 1;
      if (known.count <= MOST) return 0;
      known.suppressed += 1;
      return undefined;
    }
    kinds.delete(kind);
    kinds.set(kind, { since: at, count: 1, suppressed: 0 });
    keepLatest(kinds, MOST_KINDS);
    return known?.suppressed ?? 0;
  };
}
