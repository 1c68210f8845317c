import { keepLatest } from '../../../base/keep-latest.ts';

/**
 * How large a file may be. An interaction says so, but what it says has been seen to be more than Discord then takes:
 * it is believed up to a point, and after a refusal no longer for that message.
 */
export interface SizeLimits {
  of(message: string, said: number): number;
  /** A file within the limit was refused. False when there is nothing lower to try. */
  lower(message: string, said: number): boolean;
}

const MIB = 1024 * 1024;
/** What every channel takes. */
export const STANDARD_SIZE = 10 * MIB;
const SAFE = 100 * MIB;
/** Below what every channel takes: room for the rest of the request. */
const LOWEST = 8 * MIB;
const REMEMBERED = 1_000;

export const createSizeLimits = (): SizeLimits => {
  const learned = new Map<string, number>();
  const of = (message: string, said: number): number =>
    learned.get(message) ?? (said > 0 ? Math.min(said, SAFE) : STANDARD_SIZE);
  return {
    of,
    lower(message, said) {
      const now = of(message, said);
      if (now <= LOWEST) return false;
      learned.set(message, now > STANDARD_SIZE ? STANDARD_SIZE : LOWEST);
      keepLatest(learned, REMEMBERED);
      return true;
    },
  };
};
