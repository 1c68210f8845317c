import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Clock } from '../../../base/clock.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import { setOwnCookie } from './cookies.ts';
import { createLogin, type Verdict } from './login.ts';
import { createSigned } from './signed.ts';
import { clientAddressOf } from './visitor.ts';

/** One password for all pages that ask for it, so that each of them counts the tries at all. */
export interface SignIn {
  try(password: string, context: Context): Promise<Verdict>;
}

const cookieName = 'darkroom-device';
/** As long as browsers keep any cookie. */
const cookieSeconds = 400 * 24 * 3600;

/** A browser that gave the password once is known by a cookie: strangers at its address cannot hold up its tries. */
export const createSignIn = (password: string, state: KeyValue, clock: Clock): SignIn => {
  const login = createLogin(password, clock);
  const devices = createSigned(state, 'web:device-secret');
  let loading: Promise<void> | undefined;

  /** A store in trouble keeps nobody out. */
  const load = (): Promise<void> => {
    loading ??= devices.load().catch(() => undefined);
    return loading;
  };

  return {
    async try(typed, context) {
      await load();
      const { address, lane, connection } = clientAddressOf(context);
      const cookie = getCookie(context, cookieName);
      const device = cookie !== undefined && devices.isIssued(cookie) ? cookie : undefined;
      const known = device !== undefined;
      const from = { visitor: device ?? address, known, lane, connection };
      const verdict = await login.try(typed, from, context.req.raw.signal);
      if (verdict === 'right' && !known) setOwnCookie(context, cookieName, devices.issue(), cookieSeconds);
      return verdict;
    },
  };
};
