/**
 * The sign-in of playground and console. This room also has what both need around it: cookies, security headers, the
 * addresses of visitors, and bounded request bodies. Begin with `createSignIn` below.
 */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { type Clock, sleep, waitAtMost } from '../base/clock.ts';
import type { Records } from '../base/keyv/records.ts';
import type { SharedPace } from '../base/members/members.ts';
import { setPrivateCookie } from './cookies.ts';
import { createSignedNames } from './signed-names.ts';
import { visitorAddressWithClaim } from './visitor.ts';
import { createWaitingLine } from './waiting-line.ts';

/** `wait`: the password was not checked, because too many attempts wait or the client has disconnected. */
type Verdict = 'right' | 'wrong' | 'wait';

/** Where an attempt to sign in comes from. */
export interface AttemptSource {
  /** The device cookie of a browser that signed in before, else an address. */
  readonly visitor: string;
  /** Whether the browser signed in before, so that its attempts wait in a line of their own. */
  readonly known: boolean;
}

interface Attempt {
  readonly source: string;
  readonly isRight: boolean;
  readonly answer: (verdict: Verdict) => void;
}

/** The time that one wrong password takes: a tenth of a second and a reserve, because timers are not exact. */
const CHECK_MS = 105;
/** Every fifth turn is for browsers that signed in before, while any of them wait. */
const KNOWN_EVERY = 5;
/** The lengths of both lines: even when both are full, the last attempt of each is checked within 18 seconds. */
const MOST_STRANGERS = 135;
const MOST_KNOWN = 34;
/** The time of one attempt while the store is away and cannot tell what other processes check. */
const AWAY_MS = 1_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Makes the pace of a process that shares its store with no other. */
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
 * Checks passwords in the order of their arrival, and at most ten wrong ones a second. The rate limit is for all visitors
 * together, because addresses can be made up, and for all processes, which share the pace. A right and a wrong password are
 * answered after the same time, so that disconnecting early tells nothing.
 */
export function createPasswordCheck(password: string, clock: Clock, pace: SharedPace = createOwnPace(clock)) {
  const right = digest(password);
  const turnAway = ({ answer }: Attempt): void => answer('wait');
  const strangers = createWaitingLine(MOST_STRANGERS, turnAway);
  const known = createWaitingLine(MOST_KNOWN, turnAway);
  let turns = 0;
  let isChecking = false;
  /** The end of the latest turn, or minus infinity once a wrong password has used it up. */
  let unusedUntil = Number.NEGATIVE_INFINITY;

  const next = (): Attempt | undefined => {
    turns += 1;
    return turns % KNOWN_EVERY === 0
      ? (known.next() ?? strangers.next())
      : (strangers.next() ?? known.next());
  };
  /** Waits for a turn that no other process has. */
  const takeTurn = async (): Promise<void> => {
    const reserved = await waitAtMost(clock, AWAY_MS, pace.reserve(CHECK_MS)).catch(() => undefined);
    const delayMs = reserved?.delayMs ?? AWAY_MS;
    if (delayMs > 0) await sleep(clock, delayMs);
    unusedUntil = clock.now() + CHECK_MS;
  };
  /** Answers an attempt; only a wrong password uses up the turn. */
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
    try(typed: string, { visitor, known: isKnown }: AttemptSource, gone?: AbortSignal): Promise<Verdict> {
      const line = isKnown ? known : strangers;
      return new Promise((resolve) => {
        if (gone?.aborted) return resolve('wait');
        const hangUp = (): void => {
          line.leave(attempt);
          resolve('wait');
        };
        const attempt: Attempt = {
          source: visitor,
          // The digests have equal lengths and are compared in constant time, against timing attacks.
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
/** The longest life that browsers allow a cookie. */
const COOKIE_SECONDS = 400 * 24 * 3600;

/**
 * Makes the sign-in that all pages with a password share, so that attempts are counted together. A browser that signed in
 * once gets a device cookie, and with it a place in a line that strangers cannot fill. `pace`: the rate that all processes
 * on one database share.
 */
export function createSignIn(password: string, state: Records, clock: Clock, pace?: SharedPace) {
  const passwordCheck = createPasswordCheck(password, clock, pace);
  const devices = createSignedNames(state, 'web:device-secret');
  let loading: Promise<void> | undefined;

  /**
   * Loads the secret of the device cookies. If the store fails, people can still sign in, and the next attempt loads again.
   */
  const load = (): Promise<void> => {
    loading ??= devices.load().catch(() => {
      loading = undefined;
    });
    return loading;
  };

  return {
    /**
     * Derives the key under which a session is stored from its cookie and the password, so that a new password ends all
     * sessions.
     */
    keyFor: (cookie: string): string => createHmac('sha256', password).update(cookie).digest('base64url'),
    async try(typed: string, context: Context): Promise<Verdict> {
      await load();
      const { address, claimed } = visitorAddressWithClaim(context);
      const cookie = getCookie(context, COOKIE_NAME);
      const device = cookie !== undefined && devices.isIssued(cookie) ? cookie : undefined;
      const known = device !== undefined;
      const visitor = device ?? `${address} ${claimed}`;
      const verdict = await passwordCheck.try(typed, { visitor, known }, context.req.raw.signal);
      if (verdict === 'right' && !known)
        setPrivateCookie(context, COOKIE_NAME, devices.issue(), COOKIE_SECONDS);
      return verdict;
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;
