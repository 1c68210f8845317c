import { isIP } from 'node:net';
import type { Context } from 'hono';
import { z } from 'zod';
import { isLoopback, isPublicAddress, networkOf } from '../base/network/public-address.ts';

/** The source of a request for limits, which count by address first, then by session. */
export interface Visitor {
  readonly address: string;
  /** The key of the session. */
  readonly session: string;
}

/** The environment in which `@hono/node-server` passes the socket. */
const bound = z.object({
  incoming: z.object({
    socket: z.custom<{ readonly remoteAddress?: string }>((given) => typeof given === 'object'),
  }),
});

/** The address that the nearest proxy added as the last entry; a visitor can forge the entries before it. */
function forwarded(context: Context): string | undefined {
  const list = context.req.header('x-forwarded-for');
  if (list !== undefined) return list.split(',').at(-1)?.trim();
  const last = context.req.header('forwarded')?.split(',').at(-1);
  return /(?:^|;)\s*for="?\[?([0-9a-f.:]+?)\]?(?::\d+)?"?\s*(?:;|$)/i.exec(last ?? '')?.[1];
}

/**
 * Finds the visitor's address. A forwarded address is trusted only from a proxy on this machine, because others could forge
 * it. `claimed`: the visitor's address as a proxy on another machine of this network says.
 */
export function visitorAddressWithClaim(context: Context): {
  readonly address: string;
  readonly claimed?: string;
} {
  const read = bound.safeParse(context.env);
  const remote = (read.success ? read.data.incoming.socket.remoteAddress : undefined) ?? '';
  const named = forwarded(context);
  const behind = named !== undefined && isIP(named) > 0 ? networkOf(named) : undefined;
  if (behind !== undefined && isLoopback(remote)) return { address: behind };
  const address = networkOf(remote) || 'unknown';
  const isNear = !isPublicAddress(remote.replace(/^::ffff:/i, ''));
  return behind !== undefined && isNear ? { address, claimed: behind } : { address };
}

/** The visitor's address, by which limits count. */
export const visitorAddress = (context: Context): string => visitorAddressWithClaim(context).address;
