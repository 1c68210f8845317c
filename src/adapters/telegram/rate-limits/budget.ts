import { type Clock, sleep } from '../../../base/clock.ts';
import { createTokenBucket, type TokenBucket } from '../../limits.ts';
import { isGroup } from '../api/refs.ts';
import { createShares, MOST_IN_MINUTE } from './shares.ts';

/**
 * `final`: the edit waits for the rate limits and is never dropped. `cosmetic`: the edit is sent only while the limits have
 * room to spare.
 */
export type Importance = 'final' | 'cosmetic';

/** `laterMs`: the edit would have to wait so long that the caller tries again later instead. */
export type Passage = 'go' | 'drop' | { readonly laterMs: number };

/**
 * Rates below Telegram's limits, which are about 1 message a second in a chat, 20 a minute in a group and 30 a second in
 * all.
 */
const RATES = {
  total: { perSecond: 25, capacity: 15 },
  direct: { perSecond: 1, capacity: 4 },
  group: { perSecond: 15 / 60, capacity: 5 },
};
/** How many tokens cosmetic edits leave to results. */
const SPARE = { total: 8, chat: 1 };
/**
 * How many edits a group may have in a minute: cosmetic ones beside other edits of cards, answers to people, and all but
 * results.
 */
const MOST_EDITS = { cosmetic: 8, people: 12, butResults: 16 };
const LONGEST_WAIT_MS = 10_000;
const MOST_CHATS = 10_000;

interface ChatBudget {
  readonly bucket: TokenBucket;
  pausedUntil: number;
}

/**
 * Takes a token for a first answer, which does not wait. The debt is bounded, so that it is paid back within about a minute.
 */
function takeOnCredit(bucket: TokenBucket): void {
  bucket.take(-4 * bucket.capacity());
}

/**
 * Keeps to Telegram's rate limits. `sharedBy`: how many processes use the bot's token; each has an equal part of the limits.
 */
export function createBudget(clock: Clock, sharedBy: () => number) {
  const chats = new Map<number, ChatBudget>();
  const total = createTokenBucket(clock, RATES.total, sharedBy);
  const partOf = (most: number): number => Math.max(1, Math.floor(most / sharedBy()));
  // Edits are counted apart from new messages, as Telegram does, so twenty new cards do not delay their results. One process
  // answers all people of a chat, while any process edits cards.
  const edits = createShares(clock, { people: MOST_EDITS.people, all: MOST_EDITS.butResults });

  const dropIdle = (): void => {
    for (const [chat, { bucket, pausedUntil }] of chats) {
      const idle = bucket.available() === bucket.capacity() && pausedUntil <= clock.now();
      if (idle || chats.size > MOST_CHATS * 2) chats.delete(chat);
    }
  };
  const budgetOf = (chat: number): ChatBudget => {
    const known = chats.get(chat);
    if (known) return known;
    if (chats.size >= MOST_CHATS) dropIdle();
    const bucket = createTokenBucket(clock, isGroup(chat) ? RATES.group : RATES.direct, sharedBy);
    const budget = { bucket, pausedUntil: 0 };
    chats.set(chat, budget);
    return budget;
  };

  const isWithoutSpare = (bucket: TokenBucket, spare: number): boolean =>
    bucket.available() < Math.min(bucket.capacity(), 1 + spare / sharedBy());

  return {
    /** Counts all edits of a group in one window: progress and results of cards, and answers in the place of questions. */
    edits,
    async pass(chat: number, importance: Importance, signal?: AbortSignal): Promise<Passage> {
      const budget = budgetOf(chat);
      const { bucket } = budget;
      const pausedMs = Math.max(0, budget.pausedUntil - clock.now());
      if (importance === 'cosmetic') {
        const crowded =
          edits.fewerOfCardsMs(chat, partOf(MOST_EDITS.cosmetic)) > 0 ||
          edits.fewerMs(chat, MOST_EDITS.butResults) > 0;
        const isShort = isWithoutSpare(bucket, SPARE.chat) || isWithoutSpare(total, SPARE.total);
        if (crowded || pausedMs > 0 || isShort) return 'drop';
        bucket.take();
        total.take();
        edits.record(chat);
        return 'go';
      }
      const editMs = (): number =>
        Math.max(edits.fewerOfCardsMs(chat, partOf(MOST_IN_MINUTE)), edits.fewerMs(chat, MOST_IN_MINUTE));
      const chatMs = isGroup(chat) ? editMs() : bucket.waitMs();
      const laterMs = Math.ceil(Math.max(pausedMs, chatMs, total.waitMs()));
      if (laterMs > LONGEST_WAIT_MS) return { laterMs };
      if (isGroup(chat)) takeOnCredit(bucket);
      // In a private chat the token becomes a debt, which makes the next edits wait.
      else bucket.take();
      total.take();
      edits.record(chat, undefined, clock.now() + laterMs);
      if (laterMs > 0) await sleep(clock, laterMs, signal);
      return 'go';
    },
    /** Counts an answer to a person, which is sent without waiting unless Telegram has paused the chat. */
    takeFirst(chat: number): void {
      takeOnCredit(budgetOf(chat).bucket);
      takeOnCredit(total);
    },
    /** Pauses a chat for the time that Telegram asked for with `retry_after`. */
    pause(chat: number, ms: number): void {
      const budget = budgetOf(chat);
      budget.pausedUntil = Math.max(budget.pausedUntil, clock.now() + ms);
    },
    /** How much of the chat's pause is left. */
    pausedMs: (chat: number): number => Math.max(0, (chats.get(chat)?.pausedUntil ?? 0) - clock.now()),
  };
}

export type Budget = ReturnType<typeof createBudget>;
