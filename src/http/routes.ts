import { Hono } from 'hono';
import type { Registry } from 'prom-client';
import type { Log } from '../log.ts';
import type { Readiness } from './readiness.ts';

export interface RouteOptions {
  /** What to tell about the living process, such as its version. */
  health(): Readonly<Record<string, string | number>>;
  ready(): Promise<Readiness>;
  readonly metrics: Pick<Registry, 'contentType' | 'metrics'>;
  /** Further parts, each with its own routes: the webhook, the playground. */
  readonly mount?: readonly { readonly path: string; readonly app: Hono }[];
  readonly log: Log;
}

/** Health, readiness and metrics for machines; everything else belongs to the mounted parts. */
export function createRoutes({ health, ready, metrics, mount = [], log }: RouteOptions): Hono {
  const app = new Hono();

  app.get('/healthz', (context) => {
    context.header('cache-control', 'no-store');
    return context.json({ ...health(), status: 'ok' });
  });

  app.get('/readyz', async (context) => {
    const { ready: isReady, checks } = await ready();
    context.header('cache-control', 'no-store');
    return context.json({ status: isReady ? 'ready' : 'not ready', checks }, isReady ? 200 : 503);
  });

  app.get('/metrics', async (context) => {
    const text = await metrics.metrics();
    return context.body(text, 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
  });

  for (const part of mount) app.route(part.path, part.app);

  app.notFound((context) => context.json({ error: 'not found' }, 404));
  app.onError((error, context) => {
    log.error({ err: error, method: context.req.method, path: context.req.path }, 'a web request failed');
    return context.json({ error: 'internal error' }, 500);
  });
  return app;
}
