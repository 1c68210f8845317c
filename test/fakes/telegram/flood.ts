import type { Clock } from '../../../src/base/clock.ts';
import { Refusal } from './refusal.ts';

/** How much a bot may send. */
export interface FloodLimits {
  /** Messages and edits in a minute in one group. */
  readonly groupPerMinute: number;
  /** Messages in a second in one chat; `chatBurst` is how many may come in a burst. */
  readonly chatPerSecond: number;
  readonly chatBurst: number;
  /** Messages in a second in all chats together. */
  readonly wholePerSecond: number;
}

/** The limits that Telegram's FAQ gives; the size of a burst is not published. */
export const publishedLimits: FloodLimits = {
  groupPerMinute: 20,
  chatPerSecond: 1,
  chatBurst: 10,
  wholePerSecond: 30,
};

/** Counts messages and edits, and refuses with `retry_after` those that come too fast. */
export const createFlood = (limits: FloodLimits, clock: Clock) => {
  const groups = new Map<number, number[]>();
  const chats = new Map<number, { tokens: number; at: number }>();
  let whole: number[] = [];
  const refuse = (ms: number): never => {
    const retry_after = Math.max(1, Math.ceil(ms / 1000));
    throw new Refusal(429, `Too Many Requests: retry after ${retry_after}`, { retry_after });
  };
  return (chat: number): void => {
    const now = clock.now();
    whole = whole.filter((at) => at > now - 1000);
    if (whole.length >= limits.wholePerSecond) refuse(1000);
    const bucket = chats.get(chat) ?? { tokens: limits.chatBurst, at: now };
    const refilled = bucket.tokens + ((now - bucket.at) / 1000) * limits.chatPerSecond;
    const tokens = Math.min(limits.chatBurst, refilled);
    if (tokens < 1) refuse(1000);
    if (chat < 0) {
      const recent = (groups.get(chat) ?? []).filter((at) => at > now - 60_000);
      if (recent.length >= limits.groupPerMinute) refuse((recent[0] ?? now) + 60_000 - now);
      groups.set(chat, [...recent, now]);
    }
    chats.set(chat, { tokens: tokens - 1, at: now });
    whole.push(now);
  };
};
