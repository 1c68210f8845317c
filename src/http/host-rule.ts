import { isIP } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';

/** The name in a `Host` header, without its port. */
function nameOf(context: Context): string {
  const [, bracketed, plain] =
    /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d{1,5})?$/i.exec(context.req.header('host') ?? '') ?? [];
  return (bracketed ?? plain ?? '').toLowerCase();
}

/** Against DNS rebinding: an attacker controls where a name of their own points, but not an address or `localhost`. */
function isAddress(name: string): boolean {
  return name === 'localhost' || isIP(name) > 0;
}

/** A name without a dot, such as a container's, is local: public DNS has no such names for an attacker's page. */
function isLocalName(name: string): boolean {
  return /^[a-z0-9_-]{1,63}$/.test(name);
}

const refuseUnless =
  (isRight: (name: string) => boolean, cure: string): MiddlewareHandler =>
  async (context, next) =>
    isRight(nameOf(context)) ? next() : context.text(`Unknown host. ${cure}`, 421);

/** For pages without a password. */
export const addressOnly = refuseUnless(
  isAddress,
  'Use http://localhost or the IP address of this machine, or set PLAYGROUND_PASSWORD.',
);

/** For monitoring: by address, or by the name of a container. */
export const localOnly = refuseUnless(
  (name) => isAddress(name) || isLocalName(name),
  'Use the IP address of this machine, localhost, or a name without a dot.',
);
