import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../clock.ts';

/** Tries at the password, so many a minute from one address and from all together. */
export interface Login {
  /** `wait`: too many tries. */
  try(password: string, visitor: string): 'right' | 'wrong' | 'wait';
}

const windowMs = 60_000;
const mostFromOne = 5;
const mostFromAll = 50;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const createLogin = (password: string, clock: Clock): Login => {
  const right = digest(password);
  /** Wrong ones of the last minute: at most `mostFromAll`. */
  let wrong: { readonly visitor: string; readonly at: number }[] = [];
  return {
    try(typed, visitor) {
      const now = clock.now();
      wrong = wrong.filter(({ at }) => at > now - windowMs);
      const own = wrong.filter((each) => each.visitor === visitor).length;
      if (own >= mostFromOne || wrong.length >= mostFromAll) return 'wait';
      // Of equal length and in constant time: nothing is learned from how long it takes.
      if (timingSafeEqual(digest(typed), right)) return 'right';
      wrong.push({ visitor, at: now });
      return 'wrong';
    },
  };
};
