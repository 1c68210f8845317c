import { createHmac } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Clock } from '../../../base/clock.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import { setOwnCookie } from './cookies.ts';
import { createLogin, type Verdict } from './login.ts';
import { createSigned } from './signed.ts';
import { clientAddressOf } from './visitor.ts';

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

  /** Signing in works even if the store fails. */
  const load = (): Promise<void> => {
    loading ??= devices.load().catch(() => undefined);
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
      // No address is stored, only what nobody can make an address of.
      const visitor = devices.nameFor(device ?? `${address} ${claimed}`);
      const from = { visitor, known, isClaimed: claimed !== undefined };
      const verdict = await login.try(typed, from, context.req.raw.signal);
      if (verdict === 'right' && !known) setOwnCookie(context, COOKIE_NAME, devices.issue(), COOKIE_SECONDS);
      return verdict;
    },
  };
}

export type SignIn = ReturnType<typeof createSignIn>;
