import { createLoweredLimits } from '../../../base/lowered-limits.ts';

const mebibyte = 1024 * 1024;
/** What every channel accepts. */
export const standardBytes = 10 * mebibyte;
const mostTrusted = 100 * mebibyte;
/** Below the standard: room for the rest of the request. */
const lowestBytes = 8 * mebibyte;

const initialOf = (named: number): number => (named > 0 ? Math.min(named, mostTrusted) : standardBytes);

/** How large a file may be. The limit that an interaction names can be more than Discord then accepts. */
export const createSizeLimits = () => {
  const limits = createLoweredLimits([standardBytes, lowestBytes]);
  return {
    of: (message: string, named: number) => limits.of(message, initialOf(named)),
    /** A file within the limit was refused. False when there is nothing lower to try. */
    lower: (message: string, named: number) => limits.lower(message, initialOf(named)),
  };
};

export type SizeLimits = ReturnType<typeof createSizeLimits>;
