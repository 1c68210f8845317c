import { type Clock, sleep } from '../../../base/clock.ts';
import { isFault } from './fault.ts';

/** The pauses between attempts. */
const PAUSES_MS = [300, 1_500];

/** Makes a call that may be repeated, up to three times. `mostMs`: it fails when Telegram asks for a longer pause. */
export async function retryLater<T>(
  ask: () => Promise<T>,
  clock: Clock,
  { signal, mostMs = Number.POSITIVE_INFINITY }: { signal?: AbortSignal; mostMs?: number } = {},
): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!isFault(error, 'unreachable', 'rate-limited') || signal?.aborted || error.retryAfterMs > mostMs)
        throw error;
      await sleep(clock, Math.max(pause, error.retryAfterMs), signal);
    }
  }
  return await ask();
}
