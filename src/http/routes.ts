import { isIP } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import type { Registry } from 'prom-client';
import { isLoopback } from '../base/network/public-address.ts';
import type { Log } from '../log/log.ts';
import type { Readiness } from './readiness.ts';

/** The host name in the `Host` header, without the port. */
function nameOf(context: Context): string {
  const [, bracketed, plain] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(context.req.header('host') ?? '') ?? [];
  return (bracketed ?? plain ?? '').toLowerCase();
}

/**
 * Whether a name is local. A name without a dot, such as a container's, is: public DNS has no such names for an attacker's
 * page.
 */
const isLocalName = (name: string): boolean => /^[a-z0-9_-]{1,63}$/.test(name);

/**
 * Whether a proxy has passed the request on. A proxy usually adds a header; one that does not may speak HTTP/1.0, which nginx
 * did by default before 1.29.7 and no browser does.
 */
const isPassedOn = ({ headers, httpVersion }: HttpBindings['incoming']): boolean =>
  httpVersion === '1.0' ||
  Object.keys(headers).some((name) => /^(?:forwarded|via|x-real-ip|x-forwarded.*)$/.test(name));

/**
 * Restricts pages without a password to this machine. An attacker's page could reach them by a name of its own (DNS rebinding),
 * and everybody could through a proxy on this machine, which often requests `127.0.0.1`.
 */
const thisMachineOnly = createMiddleware<{ Bindings: HttpBindings }>(async (context, next) => {
  const name = nameOf(context);
  const isThisMachine = name === 'localhost' || isLoopback(name);
  if (isThisMachine && !isPassedOn(context.env.incoming)) return next();
  const why = isThisMachine ? 'This request was passed on by a proxy.' : 'Unknown host.';
  const cure = 'Open it there at http://localhost, or set PLAYGROUND_PASSWORD.';
  return context.text(`${why} Without a password this page answers this machine alone. ${cure}`, 421);
});

/**
 * Restricts pages for monitoring to requests by IP address, or by the name of a container. An attacker's page cannot use these
 * (DNS rebinding).
 */
const localOnly = createMiddleware(async (context, next) => {
  const name = nameOf(context);
  if (isIP(name) > 0 || isLocalName(name)) return next();
  const cure = 'Use the IP address of this machine, localhost, or a name without a dot.';
  return context.text(`Unknown host. ${cure}`, 421);
});

/** A part of the server with paths of its own. */
export interface Mount {
  readonly path: string;
  readonly app: Hono;
  /** Whether the part itself requires a secret from everybody; without one it answers this machine alone. */
  readonly hasSecret?: boolean;
  /** Whether the part is for everybody, as a page without any secret. */
  readonly isPublic?: boolean;
}

export interface RouteOptions {
  /** Details about the process. */
  health(): Readonly<Record<string, string | number>>;
  ready(): Promise<Readiness>;
  readonly metrics: Pick<Registry, 'contentType' | 'metrics'>;
  /** The mounted parts: webhooks, playground, owner's console. */
  readonly mount?: readonly Mount[];
  readonly log: Log;
}

/** Creates the routes of the web server: health, readiness and metrics, and the mounted parts. */
export function createRoutes({ health, ready, metrics, mount = [], log }: RouteOptions): Hono {
  const app = new Hono();

  app.get('/healthz', (context) => {
    context.header('cache-control', 'no-store');
    return context.json({ ...health(), status: 'ok' });
  });

  app.get('/readyz', localOnly, async (context) => {
    const { ready: isReady, checks } = await ready();
    context.header('cache-control', 'no-store');
    return context.json({ status: isReady ? 'ready' : 'not ready', checks }, isReady ? 200 : 503);
  });

  app.get('/metrics', localOnly, async (context) => {
    const text = await metrics.metrics();
    return context.body(text, 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
  });

  // Browsers request an icon for pages that name none.
  app.get('/favicon.ico', (context) => context.body(null, 204, { 'cache-control': 'max-age=86400' }));

  for (const { path, app: part, hasSecret, isPublic } of mount) {
    const guarded = new Hono();
    if (!hasSecret && !isPublic) guarded.use(thisMachineOnly);
    app.route(path, guarded.route('/', part));
  }

  app.notFound((context) => context.json({ error: 'not found' }, 404));
  app.onError((error, context) => {
    // The error has a chosen status, such as 413.
    if (error instanceof HTTPException) return error.getResponse();
    log.error({ err: error, method: context.req.method, path: context.req.path }, 'a web request failed');
    return context.json({ error: 'internal error' }, 500);
  });
  return app;
}
