import { type Clock, sleep } from '../../../base/clock.ts';
import { createFairBudget, type FairBudget } from '../../../base/fair-budget.ts';
import { isFault, TelegramFault } from '../api/fault.ts';
import type { Budget } from './budget.ts';
import { createShares, type Shares } from './shares.ts';

const mostFloods = 5;

/** How a message to a chat waits. */
export interface Waiting {
  /** Whose message it is: people take turns, and have a share of what a group gets. Left out: it counts to nobody. */
  readonly person?: string | undefined;
  /** What would come later than that is not sent at all, and fails as a flood. */
  readonly mostWaitMs?: number | undefined;
}

/** Waits out what Telegram asks for, in a queue of each chat's own in which people take turns. */
export type ChatQueue = <T>(
  chat: number,
  run: () => Promise<T>,
  waiting?: Waiting & { readonly isEdit?: boolean },
) => Promise<T>;

export const createChatQueue = (options: {
  readonly budget: Budget;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}): ChatQueue => {
  const { budget, clock, stop } = options;
  // Telegram counts edits apart from new messages.
  const [messages, edits] = [createShares(clock), createShares(clock)];
  /** Chats in which somebody waits. All at once after a pause they would all be refused again: they go one by one. */
  const queues = new Map<number, { readonly turns: FairBudget; waiting: number }>();

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

  const awaitShare = async (shares: Shares, chat: number, person: string, until: number): Promise<void> => {
    for (let ms = shares.waitMs(chat, person); ms > 0; ms = shares.waitMs(chat, person)) {
      if (clock.now() + ms >= until) throw tooLate(chat);
      await sleep(clock, ms, stop);
    }
    shares.took(chat, person);
  };

  /** Fails when the turn does not come in time. */
  const awaitTurn = async (chat: number, turns: FairBudget, person: string, until: number) => {
    if (!Number.isFinite(until)) return await turns.take(person, 1);
    const late = new AbortController();
    const cancel = clock.after(until - clock.now(), () => late.abort(tooLate(chat)));
    return await turns.take(person, 1, late.signal).finally(cancel);
  };

  const serially = async <T>(
    chat: number,
    person: string,
    run: () => Promise<T>,
    until: number,
  ): Promise<T> => {
    const queue = queues.get(chat) ?? { turns: createFairBudget({ total: 1, perPerson: 1 }), waiting: 0 };
    queues.set(chat, queue);
    queue.waiting += 1;
    try {
      const turn = await awaitTurn(chat, queue.turns, person, until);
      return await keepTrying(chat, run, until).finally(turn.release);
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(chat);
    }
  };

  return async (chat, run, { person, mostWaitMs = Number.POSITIVE_INFINITY, isEdit } = {}) => {
    const until = clock.now() + mostWaitMs;
    if (person !== undefined) await awaitShare(isEdit ? edits : messages, chat, person, until);
    if (budget.pausedMs(chat) === 0 && !queues.has(chat)) {
      try {
        return await attempt(chat, run);
      } catch (error) {
        if (!isFault(error, 'flood')) throw error;
      }
    }
    return await serially(chat, person ?? '', run, until);
  };
};
