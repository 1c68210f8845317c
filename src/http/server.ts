import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../clock.ts';
import { createRoutes, type RouteOptions } from './routes.ts';

/** More connections than this are closed at once: a bot has few visitors. */
const MOST_CONNECTIONS = 1_000;

export interface HttpOptions extends RouteOptions {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly clock: Clock;
  /** How long requests under way may take to finish when the server closes. */
  readonly graceMs?: number;
  /** Whoever has not said within this time what they want makes room for others. */
  readonly headersMs?: number;
}

export interface Http {
  readonly port: number;
  /** Where a browser on this machine finds it. */
  readonly url: string;
  /** Takes no new requests, lets those under way finish for a while, then cuts them off. */
  close(): Promise<void>;
}

export async function createHttp({
  host,
  port,
  clock,
  graceMs = 3_000,
  headersMs = 10_000,
  ...routes
}: HttpOptions): Promise<Http> {
  const app = createRoutes(routes);
  const slowness = { headersTimeout: headersMs, connectionsCheckingInterval: headersMs / 2 };
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(slowness, listener);
  server.maxConnections = MOST_CONNECTIONS;
  server.on('request', (_, response) => response.once('close', () => dropIdleWhenClosing(server)));
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`Cannot listen on ${host} port ${port}: ${reason(error)} (HTTP_HOST, HTTP_PORT).`, {
      cause: error,
    });
  }
  server.on('error', (error) => routes.log.error(error, 'the web server had an error'));

  const actual = boundPort(server);
  let closed: Promise<void> | undefined;
  return {
    port: actual,
    url: `http://${reachable(host)}:${actual}`,
    close: () => {
      closed ??= close(server, clock, graceMs);
      return closed;
    },
  };
}

async function close(server: Server, clock: Clock, graceMs: number): Promise<void> {
  const done = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  // Event streams of open chat pages never end by themselves.
  const cancel = clock.after(graceMs, () => server.closeAllConnections());
  await done;
  cancel();
}

/** A browser would hold a connection open after its last answer and keep the server from closing. */
function dropIdleWhenClosing(server: Server): void {
  if (!server.listening) setImmediate(() => server.closeIdleConnections());
}

function boundPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the web server has no port');
  return address.port;
}

function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'another program uses it already';
  if (code === 'EACCES') return 'this user may not';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'this machine has no such address';
  return 'the system refused';
}
