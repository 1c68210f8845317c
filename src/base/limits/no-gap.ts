import { DAY_MS } from '../clock.ts';

/**
 * The `minTime` of Bottleneck limiters without a gap between jobs. Bottleneck measures gaps on the machine's clock: with 0 it
 * would begin nothing for an hour after that clock is set back by an hour.
 */
export const NO_GAP_MS = -DAY_MS;
