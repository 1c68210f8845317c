import type { Clock } from '../../base/clock.ts';
import { createOneAtATime } from '../../base/keyed-queue.ts';
import type { Budget } from './budget.ts';
import { isFault, TelegramFault } from './fault.ts';

const mostFloods = 5;

/**
 * Waits out what Telegram asks for, in a queue of each chat's own. `mostWaitMs`: what would come later than that is not sent
 * at all, and fails as a flood.
 */
export type Patience = <T>(chat: number, run: () => Promise<T>, mostWaitMs?: number) => Promise<T>;

export const createPatience = (options: {
  readonly budget: Budget;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}): Patience => {
  const { budget, clock, stop } = options;
  const inTurn = createOneAtATime();
  /** How many wait in a chat. All at once after a pause they would all be refused again: they go one by one. */
  const waiting = new Map<number, number>();

  const attempt = async <T>(chat: number, run: () => Promise<T>): Promise<T> => {
    await budget.pass(chat, 'first', stop);
    try {
      return await run();
    } catch (error) {
      if (isFault(error, 'flood')) budget.pause(chat, error.retryAfterMs);
      throw error;
    }
  };

  const tooLate = (chat: number): TelegramFault =>
    new TelegramFault('send', 'flood', 'it would come too late', { retryAfterMs: budget.pausedMs(chat) });

  const keepTrying = async <T>(chat: number, run: () => Promise<T>, until: number): Promise<T> => {
    for (let floods = 1; ; floods += 1) {
      if (clock.now() + budget.pausedMs(chat) >= until) throw tooLate(chat);
      try {
        return await attempt(chat, run);
      } catch (error) {
        if (!isFault(error, 'flood') || floods >= mostFloods) throw error;
      }
    }
  };

  /** Behind those of this chat that came before, unless that takes too long. */
  const wait = <T>(chat: number, run: () => Promise<T>, mostWaitMs: number): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const until = clock.now() + mostWaitMs;
      const cancel = Number.isFinite(mostWaitMs)
        ? clock.after(mostWaitMs, () => reject(tooLate(chat)))
        : () => undefined;
      inTurn(String(chat), () => {
        cancel();
        return keepTrying(chat, run, until);
      }).then(resolve, reject);
    });

  return async (chat, run, mostWaitMs = Number.POSITIVE_INFINITY) => {
    if (budget.pausedMs(chat) === 0 && !waiting.has(chat)) {
      try {
        return await attempt(chat, run);
      } catch (error) {
        if (!isFault(error, 'flood')) throw error;
      }
    }
    waiting.set(chat, (waiting.get(chat) ?? 0) + 1);
    try {
      return await wait(chat, run, mostWaitMs);
    } finally {
      const left = (waiting.get(chat) ?? 1) - 1;
      if (left > 0) waiting.set(chat, left);
      else waiting.delete(chat);
    }
  };
};
