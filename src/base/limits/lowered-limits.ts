import { keepLatest } from '../keep-latest.ts';

const MOST_REMEMBERED = 1_000;

/**
 * Limits that are lowered step by step, for each key, when something within them was refused. `steps`: from high to low.
 */
export function createLoweredLimits(steps: readonly number[]) {
  const lowered = new Map<string, number>();
  const of = (key: string, initial: number): number => lowered.get(key) ?? initial;
  return {
    of,
    /** `refused`: how much was; a limit above it would change nothing. False when there is no lower step. */
    lower(key: string, initial: number, refused: number): boolean {
      const next = steps.find((step) => step < Math.min(of(key, initial), refused));
      if (next === undefined) return false;
      lowered.set(key, next);
      keepLatest(lowered, MOST_REMEMBERED);
      return true;
    },
  };
}
