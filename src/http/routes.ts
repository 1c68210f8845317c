import { isIP } from 'node:net';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { Registry } from 'prom-client';
import type { Log } from '../log/log.ts';
import type { Readiness } from './readiness.ts';

/** The name in a `Host` header, without its port. */
function nameOf(context: Context): string {
  const [, bracketed, plain] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(context.req.header('host') ?? '') ?? [];
  return (bracketed ?? plain ?? '').toLowerCase();
}

/** Against DNS rebinding: an attacker controls where a name of their own points, but not an address or `localhost`. */
const isAddress = (name: string): boolean => name === 'localhost' || isIP(name) > 0;

/** A name without a dot, such as a container's, is local: public DNS has no such names for an attacker's page. */
const isLocalName = (name: string): boolean => /^[a-z0-9_-]{1,63}$/.test(name);

const refuseUnless =
  (isRight: (name: string) => boolean, cure: string): MiddlewareHandler =>
  async (context, next) =>
    isRight(nameOf(context)) ? next() : context.text(`Unknown host. ${cure}`, 421);

/** For pages without a password. */
const addressOnly = refuseUnless(
  isAddress,
  'Use http://localhost or the IP address of this machine, or set PLAYGROUND_PASSWORD.',
);

/** For monitoring: by address, or by the name of a container. */
const localOnly = refuseUnless(
  (name) => isAddress(name) || isLocalName(name),
  'Use the IP address of this machine, localhost, or a name without a dot.',
);

/** A part of the server with paths of its own. */
export interface Mount {
  readonly path: string;
  readonly app: Hono;
  /** It demands a secret, so any host name is allowed; otherwise only addresses and `localhost`. */
  readonly anyHost?: boolean;
}

export interface RouteOptions {
  /** Details about the process. */
  health(): Readonly<Record<string, string | number>>;
  ready(): Promise<Readiness>;
  readonly metrics: Pick<Registry, 'contentType' | 'metrics'>;
  /** The webhooks, the playground, the owner page. */
  readonly mount?: readonly Mount[];
  readonly log: Log;
}

/** Health, readiness and metrics; everything else is mounted. */
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

  // Browsers request it for pages that name no icon.
  app.get('/favicon.ico', (context) => context.body(null, 204, { 'cache-control': 'max-age=86400' }));

  for (const { path, app: part, anyHost } of mount)
    app.route(path, anyHost ? part : new Hono().use(addressOnly).route('/', part));

  app.notFound((context) => context.json({ error: 'not found' }, 404));
  app.onError((error, context) => {
    // A chosen status, such as 413.
    if (error instanceof HTTPException) return error.getResponse();
    log.error({ err: error, method: context.req.method, path: context.req.path }, 'a web request failed');
    return context.json({ error: 'internal error' }, 500);
  });
  return app;
}
