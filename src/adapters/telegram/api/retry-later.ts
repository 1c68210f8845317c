import { type Clock, sleep } from '../../../base/clock.ts';
import { isFault } from './fault.ts';

/** The pauses between attempts. */
const PAUSES_MS = [300, 1_500];

/** Makes an idempotent call, with up to two retries. Fails at once if Telegram asks for a pause of more than `mostMs`. */
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
