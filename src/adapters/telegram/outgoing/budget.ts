import { type Clock, sleep } from '../../../base/clock.ts';
import { isGroup } from '../api/refs.ts';

/**
 * `first`: the answer to a person, sent at once. `final`: waits for its turn, is never dropped.
 * `cosmetic`: goes when there is room to spare, otherwise not at all.
 */
export type Importance = 'first' | 'final' | 'cosmetic';

/** `later`: the wait is too long to sit out here. */
export type Passage = 'go' | 'drop' | { readonly laterMs: number };

export interface Budget {
  pass(chat: number, importance: Importance, signal?: AbortSignal): Promise<Passage>;
  /** Telegram said `retry_after` for this chat. */
  pause(chat: number, ms: number): void;
  /** How much of such a pause is left. */
  pausedMs(chat: number): number;
}

/** Telegram allows about 1 message a second in a chat, 20 a minute in a group, 30 a second in all. */
const perSecond = { whole: 25, direct: 1, group: 15 / 60 };
const burst = { whole: 15, direct: 4, group: 5 };
/** Room that cosmetic edits leave to results. */
const spare = { whole: 8, chat: 1 };
/**
 * Edits in a group go at once while this many a minute are not exceeded: a burst is what groups are like. New messages
 * are counted apart by Telegram, so twenty cards shown at once hold none of their results up. Most are for results.
 */
const groupWindow = { most: 20, cosmetic: 8, ms: 60_000 };
const longestWaitMs = 10_000;
const mostChats = 10_000;

interface Bucket {
  readonly rate: number;
  readonly size: number;
  tokens: number;
  at: number;
  pausedUntil: number;
  /** Of a group: when the latest edits were or will be made, oldest first. */
  readonly edits: number[];
}

export const createBudget = (clock: Clock): Budget => {
  const chats = new Map<number, Bucket>();
  const fresh = (rate: number, size: number): Bucket => ({
    rate,
    size,
    tokens: size,
    at: clock.now(),
    pausedUntil: 0,
    edits: [],
  });
  const whole = fresh(perSecond.whole, burst.whole);

  const refill = (bucket: Bucket): Bucket => {
    const now = clock.now();
    bucket.tokens = Math.min(bucket.size, bucket.tokens + ((now - bucket.at) / 1000) * bucket.rate);
    bucket.at = now;
    return bucket;
  };
  const forget = (): void => {
    for (const [chat, bucket] of chats) {
      const idle = refill(bucket).tokens === bucket.size && bucket.pausedUntil <= clock.now();
      if (idle || chats.size > mostChats * 2) chats.delete(chat);
    }
  };
  const bucketOf = (chat: number): Bucket => {
    const known = chats.get(chat);
    if (known) return refill(known);
    if (chats.size >= mostChats) forget();
    const kind = isGroup(chat) ? 'group' : 'direct';
    const bucket = fresh(perSecond[kind], burst[kind]);
    chats.set(chat, bucket);
    return bucket;
  };
  /** Debt is how the next ones are told to wait. */
  const take = (bucket: Bucket): void => {
    bucket.tokens -= 1;
  };
  /** First answers do not wait, so only for them the debt needs a floor: a crowd is forgotten in a minute or so. */
  const takeFirst = (bucket: Bucket): void => {
    bucket.tokens = Math.max(bucket.tokens - 1, Math.min(bucket.tokens, -4 * bucket.size));
  };
  const record = (chat: number, { edits }: Bucket, at: number): void => {
    if (!isGroup(chat)) return;
    edits.push(at);
    if (edits.length > groupWindow.most) edits.shift();
  };
  /** Until there are fewer than `most` edits within a minute. */
  const groupWaitMs = ({ edits }: Bucket, most: number): number => {
    const oldest = edits.at(-most);
    return oldest === undefined ? 0 : Math.max(0, oldest + groupWindow.ms - clock.now());
  };
  const debtMs = (bucket: Bucket): number => Math.max(0, ((1 - bucket.tokens) / bucket.rate) * 1000);

  return {
    async pass(chat, importance, signal) {
      const bucket = bucketOf(chat);
      refill(whole);
      const pausedMs = Math.max(0, bucket.pausedUntil - clock.now());
      if (importance === 'cosmetic') {
        const crowded = groupWaitMs(bucket, groupWindow.cosmetic) > 0;
        if (crowded || pausedMs > 0 || bucket.tokens < 1 + spare.chat || whole.tokens < 1 + spare.whole)
          return 'drop';
        take(bucket);
        take(whole);
        record(chat, bucket, clock.now());
        return 'go';
      }
      if (importance === 'final') {
        const chatMs = isGroup(chat) ? groupWaitMs(bucket, groupWindow.most) : debtMs(bucket);
        const laterMs = Math.ceil(Math.max(pausedMs, chatMs, debtMs(whole)));
        if (laterMs > longestWaitMs) return { laterMs };
        if (isGroup(chat)) takeFirst(bucket);
        else take(bucket);
        take(whole);
        record(chat, bucket, clock.now() + laterMs);
        if (laterMs > 0) await sleep(clock, laterMs, signal);
        return 'go';
      }
      if (pausedMs > 0) await sleep(clock, pausedMs, signal);
      takeFirst(bucket);
      takeFirst(whole);
      return 'go';
    },
    pause(chat, ms) {
      const bucket = bucketOf(chat);
      bucket.pausedUntil = Math.max(bucket.pausedUntil, clock.now() + ms);
    },
    pausedMs: (chat) => Math.max(0, (chats.get(chat)?.pausedUntil ?? 0) - clock.now()),
  };
};
