import { type Clock, sleep } from '../../../base/clock.ts';
import type { Calls } from './api.ts';
import { isFault } from './fault.ts';

const pauseMs = 30_000;
/** Telegram keeps what it could not deliver for a day; what we have to say is not worth more. */
const longestMs = 24 * 3_600_000;

/**
 * Settles when Telegram answers, or after a day. It is asked by a call without any effect: whatever else is repeated while
 * Telegram hangs may take effect each time. All who wait share one call.
 */
export const createReachable = (options: {
  readonly call: Calls;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}): (() => Promise<void>) => {
  const { call, clock, stop } = options;

  const isReachable = async (): Promise<boolean> => {
    try {
      await call('getMe', (raw, signal) => raw.getMe(signal), { signal: stop });
      return true;
    } catch (error) {
      return !isFault(error, 'unreachable');
    }
  };
  const ask = async (): Promise<void> => {
    const until = clock.now() + longestMs;
    while (!(await isReachable()) && clock.now() < until) await sleep(clock, pauseMs, stop);
  };

  let asking: Promise<void> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
};
