import { isIP } from 'node:net';
import type { Context } from 'hono';
import { z } from 'zod';
import { networkOf } from '../../../base/network/network-of.ts';

/** Limits count by address first, then by session. */
export interface Visitor {
  readonly address: string;
  /** The key of the session. */
  readonly session: string;
}

/** Where `@hono/node-server` puts the socket. */
const bound = z.object({
  incoming: z.object({
    socket: z.custom<{ readonly remoteAddress?: string }>((given) => typeof given === 'object'),
  }),
});

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** The last entry was added by the proxy; a visitor can forge those before it. */
function forwarded(context: Context): string | undefined {
  const list = context.req.header('x-forwarded-for');
  if (list !== undefined) return list.split(',').at(-1)?.trim();
  const last = context.req.header('forwarded')?.split(',').at(-1);
  return /(?:^|;)\s*for="?\[?([0-9a-f.:]+?)\]?(?::\d+)?"?\s*(?:;|$)/i.exec(last ?? '')?.[1];
}

export interface ClientAddress {
  readonly address: string;
  readonly connection: object;
  /** Tells visitors at one address apart: the address that a remote proxy names, or the connection. */
  readonly lane: unknown;
}

/**
 * A forwarded address is trusted only from a proxy on this machine; others could forge it. From others it only decides
 * the order of service (`lane`), never limits.
 */
export function clientAddressOf(context: Context): ClientAddress {
  const read = bound.safeParse(context.env);
  const connection = read.success ? read.data.incoming.socket : {};
  const remote = connection.remoteAddress ?? '';
  const named = forwarded(context);
  const behind = named !== undefined && isIP(named) > 0 ? networkOf(named) : undefined;
  if (behind !== undefined && isLoopback(remote)) return { address: behind, connection, lane: connection };
  return { address: networkOf(remote) || 'unknown', connection, lane: behind ?? connection };
}

export function visitorOf(context: Context): string {
  return clientAddressOf(context).address;
}
