import { type Clock, sleep } from '../../../base/clock.ts';
import type { Calls } from './api.ts';
import { isFault } from './fault.ts';

const PAUSE_MS = 30_000;
/** Telegram keeps undelivered updates for a day; answers are not worth waiting for longer. */
const LONGEST_MS = 24 * 3_600_000;

/**
 * Resolves when Telegram answers, or after a day. Uses a call without side effects, shared by all who wait: other calls
 * that are repeated while Telegram hangs could take effect each time.
 */
export function createReachable(options: {
  readonly call: Calls;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}): () => Promise<void> {
  const { call, clock, stop } = options;

  const isReachable = async (): Promise<boolean> => {
    try {
      await call('getMe', undefined, { signal: stop });
      return true;
    } catch (error) {
      return !isFault(error, 'unreachable');
    }
  };
  const waitUntilReachable = async (): Promise<void> => {
    const until = clock.now() + LONGEST_MS;
    while (!(await isReachable()) && clock.now() < until) await sleep(clock, PAUSE_MS, stop);
  };

  let waiting: Promise<void> | undefined;
  return () => {
    waiting ??= waitUntilReachable().finally(() => {
      waiting = undefined;
    });
    return waiting;
  };
}
