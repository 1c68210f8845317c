import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from '../../adapters/web/visitors/security-headers.ts';

/** As for the playground, with less: nothing here is fetched by scripts or made by them. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** On every answer, errors included. */
export const consoleHeaders: MiddlewareHandler = (context, next) =>
  secureHeaders(context, async () => {
    await next();
    const { headers } = context.res;
    headers.set('content-security-policy', POLICY);
    headers.set('cache-control', 'no-store');
  });
