import Bottleneck from 'bottleneck';
import { type Clock, DAY_MS, sleep } from '../../../base/clock.ts';
import { NO_GAP_MS } from '../../../base/limits/no-gap.ts';
import { isFault, TelegramFault } from '../api/fault.ts';
import type { Budget } from './budget.ts';
import { createShares, type Shares } from './shares.ts';

const MOST_RATE_LIMITS = 5;
/**
 * A Bottleneck group removes a limiter that is inactive for this time even if messages wait in it, so the time is longer
 * than any wait.
 */
const FORGOTTEN_MS = 2 * DAY_MS;

/** How a message may wait for its turn in a chat. */
export interface WaitOptions {
  /**
   * The person who is answered: people take turns and have a share of a group's messages. Without one, no share is counted.
   */
  readonly person?: string | undefined;
  /** A message that would have to wait longer than this fails as `rate-limited`. */
  readonly mostWaitMs?: number | undefined;
}

/**
 * Sends messages to chats. While Telegram has paused a chat with a 429, or messages wait there, a limiter of the chat sends
 * them one by one after the pause. Otherwise a message is sent at once without a limiter, because even an idle one begins a
 * message only after 3.5 ms, and passes about 390 a second.
 */
export function createChatQueue(options: {
  readonly budget: Budget;
  readonly clock: Clock;
  readonly stop: AbortSignal;
}) {
  const { budget, clock, stop } = options;
  // These shares count new messages; edits have their own, because Telegram counts them separately.
  const messages = createShares(clock);
  /**
   * One limiter for each paused chat, with one message at a time: all messages at once would be refused again after the
   * pause.
   */
  const limiters = new Bottleneck.Group({ maxConcurrent: 1, minTime: NO_GAP_MS, timeout: FORGOTTEN_MS });
  /** How many messages each person has had in a chat since its limiter was made. */
  const counts = new Map<number, Map<string, number>>();

  const tooLate = (chat: number): TelegramFault =>
    new TelegramFault('send', 'rate-limited', 'it would come too late', {
      retryAfterMs: budget.pausedMs(chat),
    });

  const isTooLate = (chat: number, until: number): boolean => clock.now() + budget.pausedMs(chat) >= until;

  const attempt = async <T>(chat: number, run: () => Promise<T>): Promise<T> => {
    budget.takeFirst(chat);
    try {
      return await run();
    } catch (error) {
      if (isFault(error, 'rate-limited')) budget.pause(chat, error.retryAfterMs);
      throw error;
    }
  };

  limiters.on('created', (limiter, key) => {
    const chat = Number(key);
    limiter.on('failed', async (error, { args: [until], retryCount }) => {
      const isLast = retryCount >= MOST_RATE_LIMITS || isTooLate(chat, until);
      if (!isFault(error, 'rate-limited') || isLast) return undefined;
      // The pause follows the program's clock and ends when the adapter stops; Bottleneck's own timer would keep the process
      // alive.
      await sleep(clock, budget.pausedMs(chat), stop).catch(() => undefined);
      return 0;
    });
    limiter.on('idle', () => {
      counts.delete(chat);
      void limiters.deleteKey(key);
    });
  });

  /**
   * The priority of a person's next message: everybody's first goes before anybody's second. Bottleneck puts all beyond ten
   * into the last.
   */
  const priorityOf = (chat: number, person: string): number => {
    const ofChat = counts.get(chat) ?? new Map<string, number>();
    counts.set(chat, ofChat);
    const before = ofChat.get(person) ?? 0;
    ofChat.set(person, before + 1);
    return before;
  };

  const sendInTurn = async <T>(
    chat: number,
    person: string,
    run: () => Promise<T>,
    until: number,
  ): Promise<T> => {
    let hasBegun = false;
    const begin = async (): Promise<T> => {
      hasBegun = true;
      stop.throwIfAborted();
      // If the chat is paused, the limiter's `failed` handler catches this fault, waits for the end of the pause and
      // retries.
      if (budget.pausedMs(chat) > 0 || isTooLate(chat, until)) throw tooLate(chat);
      return await attempt(chat, run);
    };
    const priority = priorityOf(chat, person);
    // `until` is passed as an argument of the job only so that the `failed` handler can read it.
    const sent = limiters.key(String(chat)).schedule({ priority }, begin, until);
    if (!Number.isFinite(until)) return await sent;
    // A limiter cannot give up a message that waits, so the promise fails here, and `begin` sends nothing when the turn
    // comes.
    const late = Promise.withResolvers<never>();
    const cancel = clock.after(until - clock.now(), () => hasBegun || late.reject(tooLate(chat)));
    return await Promise.race([sent, late.promise]).finally(cancel);
  };

  const awaitShare = async (shares: Shares, chat: number, person: string, until: number): Promise<void> => {
    for (let ms = shares.waitMs(chat, person); ms > 0; ms = shares.waitMs(chat, person)) {
      if (clock.now() + ms >= until) throw tooLate(chat);
      await sleep(clock, ms, stop);
    }
    shares.record(chat, person);
  };

  return async <T>(
    chat: number,
    run: () => Promise<T>,
    waiting: WaitOptions & { readonly isEdit?: boolean } = {},
  ): Promise<T> => {
    const { person, mostWaitMs = Number.POSITIVE_INFINITY, isEdit } = waiting;
    const until = clock.now() + mostWaitMs;
    if (person !== undefined) await awaitShare(isEdit ? budget.edits : messages, chat, person, until);
    if (budget.pausedMs(chat) === 0 && !counts.has(chat)) {
      try {
        return await attempt(chat, run);
      } catch (error) {
        if (!isFault(error, 'rate-limited')) throw error;
      }
    }
    if (isTooLate(chat, until)) throw tooLate(chat);
    return await sendInTurn(chat, person ?? '', run, until);
  };
}
