import type { Context, MiddlewareHandler } from 'hono';

/** Makes the content security policy of a page; `loaded` are the directives for what else it may load. */
export function policyWith(...loaded: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...loaded,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

const POLICY = policyWith("img-src 'self' blob:", "media-src 'self'", "connect-src 'self'");

/** Middleware that sets the security headers of every answer. */
export const secureHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', POLICY);
  headers.set('x-content-type-options', 'nosniff');
  // With `no-referrer` browsers would send forms of our own page with the origin `null`.
  if (!headers.has('referrer-policy')) headers.set('referrer-policy', 'same-origin');
  headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-resource-policy', 'same-origin');
  headers.set('x-frame-options', 'DENY');
  headers.set('permissions-policy', 'camera=(self), microphone=(), geolocation=()');
};

/** Whether the request comes from one of our own pages, as the browser says. */
export function isOwnOrigin(context: Context): boolean {
  const site = context.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = context.req.header('origin');
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === context.req.header('host')?.toLowerCase();
}

/** Middleware against CSRF, in addition to the cookie's SameSite: refuses changes that do not come from our own page. */
export const ownPageOnly: MiddlewareHandler = async (context, next) => {
  if (context.req.method === 'GET' || context.req.method === 'HEAD') return next();
  const isForm = context.req.path === '/login';
  if (!isOwnOrigin(context) || (!isForm && context.req.header('x-darkroom') !== '1'))
    return context.json({ error: 'not from this page' }, 403);
  return next();
};
