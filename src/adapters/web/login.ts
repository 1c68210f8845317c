import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

/** Tries at the password. Nobody is locked out: after wrong ones, the next from the same address is judged later. */
export interface Login {
  /** `wait`: too many tries wait already. `gone`: whoever tried does not wait for the answer. */
  try(password: string, visitor: string, gone?: AbortSignal): Promise<Verdict>;
}

export type Verdict = 'right' | 'wrong' | 'wait';

interface Try {
  readonly typed: Buffer;
  readonly judged: (verdict: Verdict) => void;
}

interface Visitor {
  wrong: number;
  /** When the next try can be judged. */
  freeAt: number;
  timed: boolean;
  readonly waiting: Set<Try>;
}

const firstDelayMs = 250;
const longestDelayMs = 2_000;
const forgottenMs = 15 * 60_000;
const mostOfOne = 10;
const mostWaiting = 200;
const mostVisitors = 5_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const delayAfter = (wrong: number): number => Math.min(longestDelayMs, firstDelayMs * 2 ** (wrong - 1));

export const createLogin = (password: string, clock: Clock): Login => {
  const right = digest(password);
  const visitors = new Map<string, Visitor>();
  let waiting = 0;

  const visitorAt = (address: string): Visitor => {
    // Whoever waits is kept; of the others those known longest go first.
    for (const [old, { waiting: line, freeAt }] of visitors)
      if (line.size === 0 && (visitors.size >= mostVisitors || freeAt < clock.now() - forgottenMs))
        visitors.delete(old);
    const known = visitors.get(address);
    if (known !== undefined) return known;
    const fresh: Visitor = { wrong: 0, freeAt: 0, timed: false, waiting: new Set() };
    visitors.set(address, fresh);
    return fresh;
  };

  const settle = (visitor: Visitor, one: Try, verdict: Verdict): void => {
    if (!visitor.waiting.delete(one)) return;
    waiting -= 1;
    one.judged(verdict);
  };

  /** One after the other: tries that come together are as slow as tries that follow each other. */
  const judge = (visitor: Visitor): void => {
    for (const one of visitor.waiting) {
      const pause = visitor.freeAt - clock.now();
      if (pause > 0) {
        later(visitor, pause);
        return;
      }
      // Of equal length and in constant time: nothing is learned from how long it takes.
      const isRight = timingSafeEqual(one.typed, right);
      if (!isRight) {
        visitor.wrong += 1;
        visitor.freeAt = clock.now() + delayAfter(visitor.wrong);
      }
      settle(visitor, one, isRight ? 'right' : 'wrong');
    }
  };

  const later = (visitor: Visitor, pause: number): void => {
    if (visitor.timed) return;
    visitor.timed = true;
    clock.after(pause, () => {
      visitor.timed = false;
      judge(visitor);
    });
  };

  /** Whoever guesses most makes room. */
  const makeRoom = (): void => {
    const [worst] = [...visitors.values()]
      .filter((each) => each.waiting.size > 0)
      .sort((one, other) => other.wrong - one.wrong || other.waiting.size - one.waiting.size);
    const last = [...(worst?.waiting ?? [])].at(-1);
    if (worst !== undefined && last !== undefined) settle(worst, last, 'wait');
  };

  return {
    try: (password, address, gone) =>
      new Promise((judged) => {
        const visitor = visitorAt(address);
        if (visitor.waiting.size >= mostOfOne) return judged('wait');
        const one: Try = { typed: digest(password), judged };
        visitor.waiting.add(one);
        waiting += 1;
        if (waiting > mostWaiting) makeRoom();
        gone?.addEventListener('abort', () => settle(visitor, one, 'wait'), { once: true });
        if (visitor.waiting.size === 1) judge(visitor);
      }),
  };
};
