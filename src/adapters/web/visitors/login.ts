import { createHash, timingSafeEqual } from 'node:crypto';
import { backoff } from '../../../base/backoff.ts';
import type { Clock } from '../../../base/clock.ts';

/**
 * Checks passwords. After wrong attempts the next one from there is delayed, however many connections it uses. One whose
 * turn does not come within `longestWaitMs` is not checked. A connection carries one attempt at a time, so the server's
 * limit on connections limits waiting attempts.
 */
export interface Login {
  /** `wait`: not checked: too many others wait, or another on its connection. `gone`: aborts when the client disconnects. */
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
  /** When it has waited long enough. */
  readonly until: number;
  readonly judged: (verdict: Verdict) => void;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 1_000;
/** After a wrong attempt of anybody, against guessing from many addresses or with many old cookies. */
const ANYBODYS_DELAY_MS = 100;
/** Reverse proxies time out after a minute. */
const LONGEST_WAIT_MS = 55_000;
/** So many from one address have a turn within that time. Of more, those who come in a burst would take every turn. */
const MOST_IN_ORDER = 54;
const FORGOTTEN_MS = 15 * 60_000;
const MOST_VISITORS = 5_000;

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
function delayAfter(wrong: number): number {
  return backoff(wrong - 1, FIRST_DELAY_MS, LONGEST_DELAY_MS);
}

export function createLogin(password: string, clock: Clock, random: () => number = Math.random): Login {
  const right = digest(password);
  const visitors = new Map<string, Visitor>();
  /** Oldest first. */
  const waiting = new Set<Attempt>();
  const connections = new Set<object>();
  /** When the next attempt of any known browser, or of any stranger, can be checked. */
  const freeAt = { known: 0, strangers: 0 };
  let cancel = (): void => undefined;

  const visitorAt = (name: string): Visitor => {
    // Visitors with waiting attempts are kept; of the others the oldest are removed first.
    for (const [old, { lanes, freeAt }] of visitors)
      if (lanes.size === 0 && (visitors.size >= MOST_VISITORS || freeAt < clock.now() - FORGOTTEN_MS))
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
      freeAt[known ? 'known' : 'strangers'] = clock.now() + ANYBODYS_DELAY_MS;
    }
    settle(attempt, isRight ? 'right' : 'wrong');
  };

  const dueAt = ({ visitor, known }: Attempt): number =>
    Math.max(visitor.freeAt, freeAt[known ? 'known' : 'strangers']);

  /** By fewest wrong attempts, fewest waiting, oldest; any of them when not all can have a turn. */
  const next = (): Attempt | undefined => {
    const now = clock.now();
    let first: Attempt[] = [];
    for (const attempt of waiting) {
      if (dueAt(attempt) > now) continue;
      const [best = attempt] = first;
      const order = attempt.visitor.wrong - best.visitor.wrong || inLane(attempt) - inLane(best);
      if (order < 0) first = [];
      if (order <= 0) first.push(attempt);
    }
    return first[first.length > MOST_IN_ORDER ? Math.floor(random() * first.length) : 0];
  };

  const judgeDue = (): void => {
    cancel();
    for (let attempt = next(); attempt !== undefined; attempt = next()) judge(attempt);
    let soonest = Number.POSITIVE_INFINITY;
    for (const attempt of waiting) {
      if (attempt.until <= clock.now()) settle(attempt, 'wait');
      else soonest = Math.min(soonest, attempt.until, dueAt(attempt));
    }
    if (waiting.size > 0) cancel = clock.after(Math.max(0, soonest - clock.now()), judgeDue);
  };

  return {
    try: (password, { visitor, ...from }, gone) =>
      new Promise((judged) => {
        if (connections.has(from.connection) || gone?.aborted) return judged('wait');
        const until = clock.now() + LONGEST_WAIT_MS;
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
}
