import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';

/** Said by a web server in front of this one. */
function isOverHttps({ req }: Context): boolean {
  return (
    req.header('x-forwarded-proto') === 'https' ||
    /(?:^|[;,])\s*proto="?https\b/i.test(req.header('forwarded') ?? '')
  );
}

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
    secure: isOverHttps(context),
  });
}
