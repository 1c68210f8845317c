import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';

/** How long a visitor stays signed in. */
export const SESSION_MS = 14 * 24 * 3_600_000;

/** Makes the random value of a session's cookie. */
export const newCookieValue = (): string => randomBytes(32).toString('base64url');

/** Whether the text has the form of a value from `newCookieValue`. */
export const isCookieValue = (text: string | undefined): text is string =>
  text !== undefined && /^[\w-]{43}$/.test(text);

/** Whether a proxy in front of this server says that the visitor uses https. */
const isOverHttps = ({ req }: Context): boolean =>
  req.header('x-forwarded-proto') === 'https' ||
  /(?:^|[;,])\s*proto="?https\b/i.test(req.header('forwarded') ?? '');

/** Sets a cookie that neither scripts nor other sites can read. */
export function setPrivateCookie(
  context: Context,
  name: string,
  value: string,
  maxAge: number,
  path = '/',
): void {
  const secure = isOverHttps(context);
  setCookie(context, name, value, { httpOnly: true, sameSite: 'Strict', path, maxAge, secure });
}
