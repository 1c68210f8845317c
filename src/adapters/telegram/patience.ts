import { createOneAtATime } from '../../command/one-at-a-time.ts';
import type { Budget } from './budget.ts';
import { isFault } from './fault.ts';

const mostFloods = 5;

/** Waits out what Telegram asks for: the person gets an answer, late rather than never. */
export type Patience = <T>(chat: number, run: () => Promise<T>) => Promise<T>;

export const createPatience = (options: {
  readonly budget: Budget;
  readonly stop: AbortSignal;
}): Patience => {
  const { budget, stop } = options;
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

  const keepTrying = async <T>(chat: number, run: () => Promise<T>): Promise<T> => {
    for (let floods = 1; ; floods += 1) {
      try {
        return await attempt(chat, run);
      } catch (error) {
        if (!isFault(error, 'flood') || floods >= mostFloods) throw error;
      }
    }
  };

  return async (chat, run) => {
    if (!budget.isPaused(chat) && !waiting.has(chat)) {
      try {
        return await attempt(chat, run);
      } catch (error) {
        if (!isFault(error, 'flood')) throw error;
      }
    }
    waiting.set(chat, (waiting.get(chat) ?? 0) + 1);
    try {
      return await inTurn(String(chat), () => keepTrying(chat, run));
    } finally {
      const left = (waiting.get(chat) ?? 1) - 1;
      if (left > 0) waiting.set(chat, left);
      else waiting.delete(chat);
    }
  };
};
