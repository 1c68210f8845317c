import { createHash, timingSafeEqual } from 'node:crypto';
import { backoff } from '../../../base/backoff.ts';
import type { Clock } from '../../../base/clock.ts';

/**
 * Tries at the password. Nobody is locked out: after wrong ones the next from there waits for its turn, and every try is
 * judged within `longestWaitMs`, whatever others do. A connection carries one try at a time, so that the server's bound
 * on connections bounds how many are judged.
 */
export interface Login {
  /** `wait`: its connection carries another try. `gone`: whoever tried does not wait for the answer. */
  try(password: string, from: Trier, gone?: AbortSignal): Promise<Verdict>;
}

export type Verdict = 'right' | 'wrong' | 'wait';

export interface Trier {
  /** Whose wrong tries slow down the next: a browser that was let in before, or else an address. */
  readonly visitor: string;
  /** A browser that was let in before: its tries wait for no stranger's. */
  readonly known: boolean;
  /** Tells those at one address apart, as far as that can be told; whoever has fewest tries waiting goes first. */
  readonly lane: unknown;
  readonly connection: object;
}

interface Visitor {
  wrong: number;
  /** When the next try can be judged. */
  freeAt: number;
  /** How many tries of each lane wait. */
  readonly lanes: Map<unknown, number>;
}

interface Try extends Omit<Trier, 'visitor'> {
  readonly typed: Buffer;
  readonly visitor: Visitor;
  /** Judged then, whoever is in front of it. */
  readonly until: number;
  readonly judged: (verdict: Verdict) => void;
}

const firstDelayMs = 250;
const longestDelayMs = 1_000;
/** After a wrong one of any stranger: however many addresses somebody has. */
const strangersDelayMs = 100;
/** Web servers in front of this one give up after a minute. */
const longestWaitMs = 50_000;
const forgottenMs = 15 * 60_000;
const mostVisitors = 5_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const delayAfter = (wrong: number): number => backoff(wrong - 1, firstDelayMs, longestDelayMs);

export const createLogin = (password: string, clock: Clock): Login => {
  const right = digest(password);
  const visitors = new Map<string, Visitor>();
  /** Oldest first. */
  const waiting = new Set<Try>();
  const connections = new Set<object>();
  let strangersFreeAt = 0;
  let cancel = (): void => undefined;

  const visitorAt = (name: string): Visitor => {
    // Whoever waits is kept; of the others those known longest go first.
    for (const [old, { lanes, freeAt }] of visitors)
      if (lanes.size === 0 && (visitors.size >= mostVisitors || freeAt < clock.now() - forgottenMs))
        visitors.delete(old);
    const visitor = visitors.get(name) ?? { wrong: 0, freeAt: 0, lanes: new Map() };
    visitors.set(name, visitor);
    return visitor;
  };

  const add = (one: Try): void => {
    waiting.add(one);
    connections.add(one.connection);
    one.visitor.lanes.set(one.lane, inLane(one) + 1);
  };
  const inLane = ({ visitor, lane }: Try): number => visitor.lanes.get(lane) ?? 0;
  const settle = (one: Try, verdict: Verdict): void => {
    if (!waiting.delete(one)) return;
    connections.delete(one.connection);
    const left = inLane(one) - 1;
    if (left > 0) one.visitor.lanes.set(one.lane, left);
    else one.visitor.lanes.delete(one.lane);
    one.judged(verdict);
  };

  const judge = (one: Try): void => {
    const { visitor, known, typed } = one;
    // Of equal length and in constant time: nothing is learned from how long it takes.
    const isRight = timingSafeEqual(typed, right);
    if (!isRight) {
      visitor.wrong += 1;
      visitor.freeAt = clock.now() + delayAfter(visitor.wrong);
      if (!known) strangersFreeAt = clock.now() + strangersDelayMs;
    }
    settle(one, isRight ? 'right' : 'wrong');
  };

  const dueAt = ({ visitor, known, until }: Try): number =>
    Math.min(until, Math.max(visitor.freeAt, known ? 0 : strangersFreeAt));

  /** Whoever waited longest enough; then whoever guessed least, has fewest tries waiting, came first. */
  const next = (): Try | undefined => {
    const now = clock.now();
    let first: Try | undefined;
    for (const one of waiting) {
      if (one.until <= now) return one;
      if (dueAt(one) > now) continue;
      const ahead =
        first === undefined ||
        one.visitor.wrong < first.visitor.wrong ||
        (one.visitor.wrong === first.visitor.wrong && inLane(one) < inLane(first));
      if (ahead) first = one;
    }
    return first;
  };

  const judgeDue = (): void => {
    cancel();
    for (let one = next(); one !== undefined; one = next()) judge(one);
    const soonest = [...waiting].reduce((at, one) => Math.min(at, dueAt(one)), Number.POSITIVE_INFINITY);
    if (waiting.size > 0) cancel = clock.after(Math.max(0, soonest - clock.now()), judgeDue);
  };

  return {
    try: (password, { visitor, ...from }, gone) =>
      new Promise((judged) => {
        if (connections.has(from.connection) || gone?.aborted) return judged('wait');
        const until = clock.now() + longestWaitMs;
        const one: Try = { ...from, typed: digest(password), visitor: visitorAt(visitor), until, judged };
        add(one);
        gone?.addEventListener('abort', () => settle(one, 'wait'), { once: true });
        judgeDue();
      }),
  };
};
