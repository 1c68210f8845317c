import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';

/** A cookie that scripts and other sites cannot read. */
export function setOwnCookie(
  context: Context,
  name: string,
  value: string,
  maxAge: number,
  path = '/',
): void {
  setCookie(context, name, value, {
    httpOnly: true,
    sameSite: 'Strict',
    path,
    maxAge,
    // Set by a proxy that is reached over https.
    secure: context.req.header('x-forwarded-proto') === 'https',
  });
}
