import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';

/** A cookie that neither scripts nor other sites ever get. */
export const setOwnCookie = (context: Context, name: string, value: string, maxAge: number): void =>
  setCookie(context, name, value, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
    maxAge,
    // A server in front of this one says so when it is reached over https.
    secure: context.req.header('x-forwarded-proto') === 'https',
  });
