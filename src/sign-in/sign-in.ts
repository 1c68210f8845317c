import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { type Clock, sleep, waitAtMost } from '../base/clock.ts';
import type { Records } from '../base/keyv/records.ts';
import type { SharedPace } from '../base/members/members.ts';
import { setOwnCookie } from './cookies.ts';
import { createSigned } from './signed.ts';
import { clientAddressOf } from './visitor.ts';
import { createWaitingLine } from './waiting-line.ts';

/** `wait`: not checked, because too many others wait or the client is gone. */
type Verdict = 'right' | 'wrong' | 'wait';

export interface LoginSource {
  /** A browser that signed in before, or else an address. */
  readonly visitor: string;
  /** A browser that signed in before: it has a line of its own. */
  readonly known: boolean;
}

interface Attempt {
  readonly source: string;
  readonly isRight: boolean;
  readonly answer: (verdict: Verdict) => void;
}

/** The time of one wrong password. Ten of them take a little more than a second, because timers are not exact. */
const CHECK_MS = 105;
/** While browsers that signed in before wait, one turn of so many is theirs. */
const KNOWN_EVERY = 5;
/** The last of each line is checked within 18 seconds, also while both lines are full. */
const MOST_STRANGERS = 135;
const MOST_KNOWN = 34;
/** The pace without the store, which then cannot say what other processes check. */
const AWAY_MS = 1_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The pace of a process that has its store alone. */
function createOwnPace(clock: Pick<Clock, 'now'>): SharedPace {
  let free = Number.NEGATIVE_INFINITY;
  return {
    async reserve(ms) {
      const now = clock.now();
      const begin = Math.max(now, free);
      free = begin + ms;
      return { delayMs: begin - now, lateMs: 0 };
    },
  };
}

/**
 * Checks passwords in the order in which they came, and no more than ten wrong ones a second: of all visitors together, because
 * addresses can be made up, and of all processes together, because they share the pace. When an attempt is answered does not
 * depend on whether it is right, so hanging up early tells nothing.
 */
export function createLogin(password: string, clock: Clock, pace: SharedPace = createOwnPace(clock)) {
  const right = digest(password);
  const turnAway = ({ answer }: Attempt): void => answer('wait');
  const strangers = createWaitingLine(MOST_STRANGERS, turnAway);
  const known = createWaitingLine(MOST_KNOWN, turnAway);
  let turns = 0;
  let isChecking = false;
  /** Until when the latest turn lasts, as long as no wrong password has used it. */
  let unusedUntil = Number.NEGATIVE_INFINITY;

  const next = (): Attempt | undefined => {
    turns += 1;
    return turns % KNOWN_EVERY === 0
      ? (known.next() ?? strangers.next())
      : (strangers.next() ?? known.next());
  };
  /** Waits for time that no other process has. */
  const takeTurn = async (): Promise<void> => {
    const reserved = await waitAtMost(clock, AWAY_MS, pace.reserve(CHECK_MS)).catch(() => undefined);
    const delayMs = reserved?.delayMs ?? AWAY_MS;
    if (delayMs > 0) await sleep(clock, delayMs);
    unusedUntil = clock.now() + CHECK_MS;
  };
  /** Right passwords use no time. */
  const check = ({ isRight, answer }: Attempt): void => {
    if (!isRight) unusedUntil = Number.NEGATIVE_INFINITY;
    answer(isRight ? 'right' : 'wrong');
  };
  const checkAll = async (): Promise<void> => {
    while (!strangers.isEmpty() || !known.isEmpty()) {
      if (clock.now() >= unusedUntil) await takeTurn();
      const attempt = next();
      if (attempt !== undefined) check(attempt);
    }
    isChecking = false;
  };

  return {
    try(typed: string, { visitor, known: isKnown }: LoginSource, gone?: AbortSignal): Promise<Verdict> {
      const line = isKnown ? known : strangers;
      return new Promise((resolve) => {
        if (gone?.aborted) return resolve('wait');
        const hangUp = (): void => {
          line.leave(attempt);
          resolve('wait');
        };
        const attempt: Attempt = {
          source: visitor,
          // Digests of equal length in constant time, against timing attacks.
          isRight: timingSafeEqual(digest(typed), right),
          answer(verdict) {
            gone?.removeEventListener('abort', hangUp);
            resolve(verdict);
          },
        };
        gone?.addEventListener('abort', hangUp, { once: true });
        line.join(attempt);
        if (isChecking) return;
        isChecking = true;
        void checkAll();
      });
    },
  };
}

const COOKIE_NAME = 'darkroom-device';
/** The longest that browsers keep a cookie. */
const COOKIE_SECONDS = 400 * 24 * 3600;

/**
 * Shared by all pages with a password, so that attempts are counted together. A browser that signed in once gets a device
 * cookie, and with it a line that strangers cannot fill. `pace`: what processes on one database keep together.
 */
export function createSignIn(password: string, state: Records, clock: Clock, pace?: SharedPace) {
  const login = createLogin(password, clock, pace);
  const devices = createSigned(state, 'web:device-secret');
  let loading: Promise<void> | undefined;

  /** Signing in works even if the store fails; the next one loads again. */
  const load = (): Promise<void> => {
    loading ??= devices.load().catch(() => {
      loading = undefined;
    });
    return loading;
  };

  return {
    /** What a session's cookie is stored under: with another password the session is over. */
    keyFor: (cookie: string): string => createHmac('sha256', password).update(cookie).digest('base64url'),
    async try(typed: string, context: Context): Promise<Verdict> {
      await load();
      const { address, claimed } = clientAddressOf(context);
      const cookie = getCookie(context, COOKIE_NAME);
      const device = cookie !== undefined && devices.isIssued(cookie) ? cookie : undefined;
      const known = device !== undefined;
      const visitor = device ?? `${address} ${claimed}`;
      const verdict = await login.try(typed, { visitor, known }, context.req.raw.signal);
      if (verdict === 'right' && !known) setOwnCookie(context, COOKIE_NAME, devices.issue(), COOKIE_SECONDS);
      return verdict;
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;
