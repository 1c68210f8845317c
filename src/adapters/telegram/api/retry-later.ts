import { type Clock, sleep } from '../../../base/clock.ts';
import { isFault } from './fault.ts';

/** Between attempts: asking again is harmless, and nothing should fail for one lost packet. */
const pausesMs = [300, 1_500];

/** For what changes nothing at Telegram, or may be done twice. `mostMs`: the longest pause that is sat out. */
export const retryLater = async <T>(
  ask: () => Promise<T>,
  clock: Clock,
  { signal, mostMs = Number.POSITIVE_INFINITY }: { signal?: AbortSignal; mostMs?: number } = {},
): Promise<T> => {
  for (const pause of pausesMs) {
    try {
      return await ask();
    } catch (error) {
      if (!isFault(error, 'unreachable', 'flood') || signal?.aborted || error.retryAfterMs > mostMs)
        throw error;
      await sleep(clock, Math.max(pause, error.retryAfterMs), signal);
    }
  }
  return await ask();
};
