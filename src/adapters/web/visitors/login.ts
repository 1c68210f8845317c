import { createHash, timingSafeEqual } from 'node:crypto';
import { backoff } from '../../../base/backoff.ts';
import type { Clock } from '../../../base/clock.ts';

/**
 * Checks passwords. Nobody is locked out: after wrong attempts the next one from there is delayed, and every attempt is
 * checked within `longestWaitMs`. A connection carries one attempt at a time, so the server's limit on connections limits
 * waiting attempts.
 */
export interface Login {
  /** `wait`: its connection already has an attempt waiting. `gone`: aborts when the client disconnects. */
  try(password: string, from: LoginSource, gone?: AbortSignal): Promise<Verdict>;
}

export type Verdict = 'right' | 'wrong' | 'wait';

export interface LoginSource {
  /** Whose wrong attempts delay the next: a browser that signed in before, or else an address. */
  readonly visitor: string;
  /** A browser that signed in before: not delayed by strangers' attempts. */
  readonly known: boolean;
  /** Tells visitors at one address apart, if possible; the one with fewest waiting attempts is first. */
  readonly lane: unknown;
  readonly connection: object;
}

interface Visitor {
  wrong: number;
  /** When the next attempt can be checked. */
  freeAt: number;
  /** Number of waiting attempts by lane. */
  readonly lanes: Map<unknown, number>;
}

interface Attempt extends Omit<LoginSource, 'visitor'> {
  readonly typed: Buffer;
  readonly visitor: Visitor;
  /** Checked by then, whoever is before it. */
  readonly until: number;
  readonly judged: (verdict: Verdict) => void;
}

const firstDelayMs = 250;
const longestDelayMs = 1_000;
/** After a wrong attempt of any stranger, against guessing from many addresses. */
const strangersDelayMs = 100;
/** Reverse proxies time out after a minute. */
const longestWaitMs = 50_000;
const forgottenMs = 15 * 60_000;
const mostVisitors = 5_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const delayAfter = (wrong: number): number => backoff(wrong - 1, firstDelayMs, longestDelayMs);

export const createLogin = (password: string, clock: Clock): Login => {
  const right = digest(password);
  const visitors = new Map<string, Visitor>();
  /** Oldest first. */
  const waiting = new Set<Attempt>();
  const connections = new Set<object>();
  let strangersFreeAt = 0;
  let cancel = (): void => undefined;

  const visitorAt = (name: string): Visitor => {
    // Visitors with waiting attempts are kept; of the others the oldest are removed first.
    for (const [old, { lanes, freeAt }] of visitors)
      if (lanes.size === 0 && (visitors.size >= mostVisitors || freeAt < clock.now() - forgottenMs))
        visitors.delete(old);
    const visitor = visitors.get(name) ?? { wrong: 0, freeAt: 0, lanes: new Map() };
    visitors.set(name, visitor);
    return visitor;
  };

  const add = (attempt: Attempt): void => {
    waiting.add(attempt);
    connections.add(attempt.connection);
    attempt.visitor.lanes.set(attempt.lane, inLane(attempt) + 1);
  };
  const inLane = ({ visitor, lane }: Attempt): number => visitor.lanes.get(lane) ?? 0;
  const settle = (attempt: Attempt, verdict: Verdict): void => {
    if (!waiting.delete(attempt)) return;
    connections.delete(attempt.connection);
    const left = inLane(attempt) - 1;
    if (left > 0) attempt.visitor.lanes.set(attempt.lane, left);
    else attempt.visitor.lanes.delete(attempt.lane);
    attempt.judged(verdict);
  };

  const judge = (attempt: Attempt): void => {
    const { visitor, known, typed } = attempt;
    // Digests of equal length in constant time, against timing attacks.
    const isRight = timingSafeEqual(typed, right);
    if (!isRight) {
      visitor.wrong += 1;
      visitor.freeAt = clock.now() + delayAfter(visitor.wrong);
      if (!known) strangersFreeAt = clock.now() + strangersDelayMs;
    }
    settle(attempt, isRight ? 'right' : 'wrong');
  };

  const dueAt = ({ visitor, known, until }: Attempt): number =>
    Math.min(until, Math.max(visitor.freeAt, known ? 0 : strangersFreeAt));

  /** An overdue attempt first; then by fewest wrong attempts, fewest waiting, oldest. */
  const next = (): Attempt | undefined => {
    const now = clock.now();
    let first: Attempt | undefined;
    for (const attempt of waiting) {
      if (attempt.until <= now) return attempt;
      if (dueAt(attempt) > now) continue;
      const ahead =
        first === undefined ||
        attempt.visitor.wrong < first.visitor.wrong ||
        (attempt.visitor.wrong === first.visitor.wrong && inLane(attempt) < inLane(first));
      if (ahead) first = attempt;
    }
    return first;
  };

  const judgeDue = (): void => {
    cancel();
    for (let attempt = next(); attempt !== undefined; attempt = next()) judge(attempt);
    const soonest = [...waiting].reduce(
      (at, attempt) => Math.min(at, dueAt(attempt)),
      Number.POSITIVE_INFINITY,
    );
    if (waiting.size > 0) cancel = clock.after(Math.max(0, soonest - clock.now()), judgeDue);
  };

  return {
    try: (password, { visitor, ...from }, gone) =>
      new Promise((judged) => {
        if (connections.has(from.connection) || gone?.aborted) return judged('wait');
        const until = clock.now() + longestWaitMs;
        const attempt: Attempt = {
          ...from,
          typed: digest(password),
          visitor: visitorAt(visitor),
          until,
          judged,
        };
        add(attempt);
        gone?.addEventListener('abort', () => settle(attempt, 'wait'), { once: true });
        judgeDue();
      }),
  };
};
