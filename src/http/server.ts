import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../base/clock.ts';
import { areTooSmall } from '../base/network/small-pieces.ts';
import { limitConnections } from './connections.ts';
import { createRoutes, type RouteOptions } from './routes.ts';

const MOST_CONNECTIONS = 1_000;
/** Timeout of a whole request. */
const REQUEST_MS = 5 * 60_000;
/** A socket without activity for this time is closed. */
const SILENT_MS = 2 * 60_000;

/** Thrown if the server cannot listen; the message says which setting the owner must correct. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

export interface HttpOptions extends RouteOptions {
  readonly host: string;
  /** The port; 0 takes a free one. */
  readonly port: number;
  readonly clock: Clock;
  /** How long current requests may take when the server closes. */
  readonly graceMs?: number;
  /** Timeout of a request's headers. */
  readonly headersMs?: number;
  readonly mostConnections?: number;
}

/** The running web server. */
export type Http = Awaited<ReturnType<typeof createHttp>>;

/**
 * The room's entry: starts the web server of the process. `routes.ts` has its own pages and mounts those of other rooms;
 * `connections.ts` and this file limit connections, slow requests and pipelining.
 */
export async function createHttp({
  host,
  port,
  clock,
  graceMs = 3_000,
  headersMs = 10_000,
  mostConnections = MOST_CONNECTIONS,
  ...routes
}: HttpOptions) {
  const app = createRoutes(routes);
  const slowness = {
    headersTimeout: headersMs,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: headersMs / 2,
  };
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = createServer(slowness, oneAtATime(listener));
  server.timeout = SILENT_MS;
  limitConnections(server, mostConnections);
  refuseTinyChunks(server);
  server.on('request', (_, response) => response.once('close', () => dropIdleWhenClosing(server)));
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new ListenError(`Cannot listen on ${host} port ${port}: ${reason(error)}`, { cause: error });
  }
  server.on('error', (error) => routes.log.error(error, 'the web server had an error'));

  const actual = boundPort(server);
  let closed: Promise<void> | undefined;
  return {
    port: actual,
    /** The address for a browser on this machine. */
    url: `http://${reachable(host)}:${actual}`,
    /** Accepts no new requests, waits for current ones up to `graceMs`, then closes their connections. */
    close: (): Promise<void> => {
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

/** Closes idle keep-alive connections of browsers, which would keep the server from closing. */
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
  if (code === 'EADDRINUSE')
    return 'the port is already in use. Stop the other program, or set HTTP_PORT to another port (0 picks a free one).';
  if (code === 'EACCES') return 'permission denied. Set HTTP_PORT to 1024 or higher.';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'this machine has no such address. Set HTTP_HOST to one of its addresses.';
  return 'the system refused. Check HTTP_HOST and HTTP_PORT.';
}

/**
 * Refuses HTTP pipelining, which browsers and proxies do not use: Node would start thousands of requests from one packet at the
 * same time.
 */
function oneAtATime(listener: RequestListener): RequestListener {
  const answering = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    if (answering.has(socket)) return void socket.destroy();
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
    return listener(request, response);
  };
}

/** Closes the connection of a body in tiny chunks (`Transfer-Encoding: chunked`): each chunk costs far more than its bytes. */
export function refuseTinyChunks(server: Server): void {
  server.on('request', (request) => {
    const push = request.push.bind(request);
    let chunks = 0;
    let bytes = 0;
    // Wraps `push`, which the parser calls for each chunk; a `data` listener would consume the body.
    request.push = (chunk: Uint8Array | null, encoding?: BufferEncoding): boolean => {
      if (request.destroyed) return false;
      chunks += 1;
      bytes += chunk?.byteLength ?? 0;
      if (!areTooSmall(chunks, bytes)) return push(chunk, encoding);
      request.destroy();
      return false;
    };
  });
}
