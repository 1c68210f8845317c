import { createLoweredLimits } from '../../limits.ts';

const MEBIBYTE = 1024 * 1024;
/** What every channel accepts. */
export const STANDARD_BYTES = 10 * MEBIBYTE;
const MOST_TRUSTED = 100 * MEBIBYTE;
/** Below the standard: room for the rest of the request. */
const LOWEST_BYTES = 8 * MEBIBYTE;

function initialOf(named: number): number {
  return named > 0 ? Math.min(named, MOST_TRUSTED) : STANDARD_BYTES;
}

/** How large a file may be. The limit that an interaction names can be more than Discord then accepts. */
export function createSizeLimits() {
  const limits = createLoweredLimits([STANDARD_BYTES, LOWEST_BYTES]);
  return {
    of: (message: string, named: number) => limits.of(message, initialOf(named)),
    /** A file of so many bytes was refused. False when there is nothing lower to try. */
    lower: (message: string, named: number, bytes: number) => limits.lower(message, initialOf(named), bytes),
  };
}

export type SizeLimits = ReturnType<typeof createSizeLimits>;
