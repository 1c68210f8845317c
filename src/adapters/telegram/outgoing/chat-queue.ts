import { type Clock, sleep } from '../../../base/clock.ts';
import { createFairBudget, type FairBudget } from '../../../base/limits/fair-budget.ts';
import { isFault, TelegramFault } from '../api/fault.ts';
import type { Budget } from './budget.ts';
import { createShares, type Shares } from './shares.ts';

const MOST_RATE_LIMITS = 5;

/** How a message to a chat waits. */
export interface Waiting {
  /** Whose message it is: people take turns and have a share of a group's messages. Absent: it counts to no share. */
  readonly person?: string | undefined;
  /** If it would be sent later, it fails as `rate-limited` instead. */
  readonly mostWaitMs?: number | undefined;
}

/** Waits as long as Telegram demands, in one queue per chat in which people take turns. */
export function createChatQueue(options: {
  readonly budget: Budget;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}) {
  const { budget, clock, stop } = options;
  // Telegram counts edits separately.
  const messages = createShares(clock);
  /** Chats with waiting messages. Sent all at once after a pause they would be refused again, so one at a time. */
  const queues = new Map<number, { readonly turns: FairBudget; waiting: number }>();

  const attempt = async <T>(chat: number, run: () => Promise<T>): Promise<T> => {
    await budget.pass(chat, 'first', stop);
    try {
      return await run();
    } catch (error) {
      if (isFault(error, 'rate-limited')) budget.pause(chat, error.retryAfterMs);
      throw error;
    }
  };

  const tooLate = (chat: number): TelegramFault =>
    new TelegramFault('send', 'rate-limited', 'it would come too late', {
      retryAfterMs: budget.pausedMs(chat),
    });

  const sendWithRetries = async <T>(chat: number, run: () => Promise<T>, until: number): Promise<T> => {
    for (let attempts = 1; ; attempts += 1) {
      if (clock.now() + budget.pausedMs(chat) >= until) throw tooLate(chat);
      try {
        return await attempt(chat, run);
      } catch (error) {
        if (!isFault(error, 'rate-limited') || attempts >= MOST_RATE_LIMITS) throw error;
      }
    }
  };

  const awaitShare = async (shares: Shares, chat: number, person: string, until: number): Promise<void> => {
    for (let ms = shares.waitMs(chat, person); ms > 0; ms = shares.waitMs(chat, person)) {
      if (clock.now() + ms >= until) throw tooLate(chat);
      await sleep(clock, ms, stop);
    }
    shares.record(chat, person);
  };

  /** Fails when it is too late. */
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
      return await sendWithRetries(chat, run, until).finally(turn.release);
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(chat);
    }
  };

  return async <T>(
    chat: number,
    run: () => Promise<T>,
    waiting: Waiting & { readonly isEdit?: boolean } = {},
  ): Promise<T> => {
    const { person, mostWaitMs = Number.POSITIVE_INFINITY, isEdit } = waiting;
    const until = clock.now() + mostWaitMs;
    if (person !== undefined) await awaitShare(isEdit ? budget.edits : messages, chat, person, until);
    if (budget.pausedMs(chat) === 0 && !queues.has(chat)) {
      try {
        return await attempt(chat, run);
      } catch (error) {
        if (!isFault(error, 'rate-limited')) throw error;
      }
    }
    return await serially(chat, person ?? '', run, until);
  };
}
