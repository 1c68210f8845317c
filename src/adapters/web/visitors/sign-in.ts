import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { addTo } from '../../../base/add-to.ts';
import { backoff } from '../../../base/backoff.ts';
import { type Clock, sleep } from '../../../base/clock.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import { setOwnCookie } from './cookies.ts';
import { createSigned } from './signed.ts';
import { clientAddressOf } from './visitor.ts';

/** `wait`: not checked, because too many others wait or the client is gone. */
type Verdict = 'right' | 'wrong' | 'wait';

export interface LoginSource {
  /** Whose wrong attempts delay the next: a browser that signed in before, or else an address. */
  readonly visitor: string;
  /** A browser that signed in before: not delayed by strangers' attempts. */
  readonly known: boolean;
  /** The address is what another machine says it is, so that anybody could make up many. */
  readonly isClaimed?: boolean;
}

/** What wrong attempts leave in the store, for all processes. */
interface Delay {
  readonly wrong: number;
  /** When the next attempt is checked. */
  readonly freeAt: number;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 1_000;
/** Between wrong attempts of all, against guessing from many addresses or with many old cookies. */
const ANYBODYS_DELAY_MS = 100;
/** Reverse proxies time out after a minute. */
const LONGEST_WAIT_MS = 55_000;
/** As many attempts have a turn within that time; more need not ask the store. */
const MOST_WAITING = LONGEST_WAIT_MS / LONGEST_DELAY_MS;
const FORGOTTEN_MS = 15 * 60_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const delayAfter = (wrong: number): number => backoff(wrong - 1, FIRST_DELAY_MS, LONGEST_DELAY_MS);

/**
 * Checks passwords. Each wrong one delays the visitor's next by up to a second, and everybody's by a tenth, however many
 * connections and processes they use. A visitor without a wrong one does not wait.
 */
export function createLogin(password: string, state: KeyValue, clock: Clock) {
  const right = digest(password);

  /** Attempts of a visitor that wait in this process. */
  const waiting = new Map<string, number>();

  /** When an attempt is checked. A wrong one moves the time of the next, unless it would wait for too long itself. */
  const turnOf = async (key: string, isRight: boolean, delay: (wrong: number) => number) => {
    const now = clock.now();
    const latest = now + LONGEST_WAIT_MS;
    let turn = { at: now, isFirst: true };
    const change = (before: Delay | undefined): Delay | undefined => {
      const { wrong, freeAt } = before ?? { wrong: 0, freeAt: now };
      // One further ahead is of a clock that was wrong.
      const at = freeAt > latest + LONGEST_WAIT_MS ? now : Math.max(now, freeAt);
      turn = { at, isFirst: before === undefined };
      return isRight || at > latest ? undefined : { wrong: wrong + 1, freeAt: at + delay(wrong + 1) };
    };
    // Signing in works even if the store fails, slowly.
    await state.update(key, change, FORGOTTEN_MS).catch(() => {
      turn = { at: now + LONGEST_DELAY_MS, isFirst: true };
    });
    return turn;
  };

  const verdictOf = async (
    typed: string,
    { visitor, known, isClaimed }: LoginSource,
    gone: AbortSignal | undefined,
  ): Promise<Verdict> => {
    // Digests of equal length in constant time, against timing attacks.
    const isRight = timingSafeEqual(digest(typed), right);
    const own = await turnOf(`web:login:${visitor}`, isRight, delayAfter);
    const all =
      own.isFirst && !isClaimed
        ? own
        : await turnOf(`web:logins:${known ? 'known' : 'strangers'}`, isRight, () => ANYBODYS_DELAY_MS);
    const waitMs = Math.max(own.at, all.at) - clock.now();
    if (waitMs > LONGEST_WAIT_MS) return 'wait';
    if (waitMs > 0) await sleep(clock, waitMs, gone).catch(() => undefined);
    if (gone?.aborted) return 'wait';
    return isRight ? 'right' : 'wrong';
  };

  return {
    async try(typed: string, from: LoginSource, gone?: AbortSignal): Promise<Verdict> {
      if ((waiting.get(from.visitor) ?? 0) >= MOST_WAITING) return 'wait';
      addTo(waiting, from.visitor, 1);
      try {
        return await verdictOf(typed, from, gone);
      } finally {
        addTo(waiting, from.visitor, -1);
      }
    },
  };
}

const COOKIE_NAME = 'darkroom-device';
/** The longest that browsers keep a cookie. */
const COOKIE_SECONDS = 400 * 24 * 3600;

/**
 * Shared by all pages with a password, so that attempts are counted together. A browser that signed in once gets a device
 * cookie, so that strangers at its address cannot delay it.
 */
export function createSignIn(password: string, state: KeyValue, clock: Clock) {
  const login = createLogin(password, state, clock);
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
      // No address is stored, only a signature from which it cannot be computed.
      const visitor = devices.nameFor(device ?? `${address} ${claimed}`);
      const from = { visitor, known, isClaimed: claimed !== undefined };
      const verdict = await login.try(typed, from, context.req.raw.signal);
      if (verdict === 'right' && !known) setOwnCookie(context, COOKIE_NAME, devices.issue(), COOKIE_SECONDS);
      return verdict;
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;
