import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';

/** For how long a visitor stays signed in. */
export const SESSION_MS = 14 * 24 * 3_600_000;

export const newCookie = (): string => randomBytes(32).toString('base64url');

/** Whether it has the form that `newCookie` makes. */
export const isCookie = (text: string | undefined): text is string =>
  text !== undefined && /^[\w-]{43}$/.test(text);

/** Said by a web server in front of this one. */
const isOverHttps = ({ req }: Context): boolean =>
  req.header('x-forwarded-proto') === 'https' ||
  /(?:^|[;,])\s*proto="?https\b/i.test(req.header('forwarded') ?? '');

/** A cookie that scripts and other sites cannot read. */
export function setOwnCookie(
  context: Context,
  name: string,
  value: string,
  maxAge: number,
  path = '/',
): void {
  const secure = isOverHttps(context);
  setCookie(context, name, value, { httpOnly: true, sameSite: 'Strict', path, maxAge, secure });
}
