import type { Context, MiddlewareHandler } from 'hono';

/** The content security policy of a page that also loads these. */
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

export const secureHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', POLICY);
  headers.set('x-content-type-options', 'nosniff');
  // Not `no-referrer`: browsers then send forms of our own page with the origin `null`.
  headers.set('referrer-policy', 'same-origin');
  headers.set('cross-origin-opener-policy', 'same-origin');
  headers.set('cross-origin-resource-policy', 'same-origin');
  headers.set('x-frame-options', 'DENY');
  headers.set('permissions-policy', 'camera=(self), microphone=(), geolocation=()');
};

export function isOwnOrigin(context: Context): boolean {
  const site = context.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = context.req.header('origin');
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === context.req.header('host')?.toLowerCase();
}

/** CSRF protection in addition to the cookie's SameSite: changes must come from our own page. */
export const ownPageOnly: MiddlewareHandler = async (context, next) => {
  if (context.req.method === 'GET' || context.req.method === 'HEAD') return next();
  const isForm = context.req.path === '/login';
  if (!isOwnOrigin(context) || (!isForm && context.req.header('x-darkroom') !== '1'))
    return context.json({ error: 'not from this page' }, 403);
  return next();
};
