import { type Clock, MINUTE_MS, sleep } from '../../../base/clock.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import { createFairBudget, type FairBudget } from '../../../base/limits/fair-budget.ts';
import { isFault, TelegramFault } from '../api/fault.ts';
import { isGroup } from '../api/refs.ts';
import type { Budget } from './budget.ts';

const MOST_RATE_LIMITS = 5;

/** Telegram allows about this many messages a minute in a group, and as many edits. */
const MOST_IN_MINUTE = 20;
/** A person alone in a group, such as a moderator setting it up, gets more; the rest is for the next person. */
const MOST_ALONE = 15;
const MOST_GROUPS = 10_000;
/** Everybody may send one, so there can be more than Telegram allows. */
const MOST_COUNTED = 200;

interface Taken {
  readonly person: string;
  readonly at: number;
}

/**
 * One person gets at most half of what the others left of a group's messages in a minute. So a person who keeps sending
 * waits, and the next person is answered at once.
 */
export function createShares(clock: Pick<Clock, 'now'>) {
  const groups = new Map<number, readonly Taken[]>();
  const recent = (chat: number): readonly Taken[] =>
    (groups.get(chat) ?? []).filter(({ at }) => at > clock.now() - MINUTE_MS);

  return {
    /** Until the person may have another message. */
    waitMs(chat: number, person: string): number {
      const taken = recent(chat);
      const own = taken.filter((each) => each.person === person);
      const others = taken.length - own.length;
      const share = others === 0 ? MOST_ALONE : Math.max(1, Math.ceil((MOST_IN_MINUTE - others) / 2));
      const oldest = own.at(-share);
      return oldest === undefined ? 0 : oldest.at + MINUTE_MS - clock.now();
    },
    record(chat: number, person: string): void {
      if (!isGroup(chat)) return;
      const taken = [...recent(chat), { person, at: clock.now() }].slice(-MOST_COUNTED);
      groups.delete(chat);
      groups.set(chat, taken);
      keepLatest(groups, MOST_GROUPS);
    },
  };
}

export type Shares = ReturnType<typeof createShares>;

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
  // Telegram counts edits and new messages separately.
  const [messages, edits] = [createShares(clock), createShares(clock)];
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
    if (person !== undefined) await awaitShare(isEdit ? edits : messages, chat, person, until);
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
