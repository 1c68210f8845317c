import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, MiddlewareHandler } from 'hono';
import { FAMILIES, familyNames } from '../../../src/generation-service/interface/families.ts';
import type { ServiceEnv } from '../../../src/generation-service/routes/context.ts';
import { CATALOG_ROUTES } from '../../../src/generation-service/routes/lists.ts';
import { runEndpoints } from '../../../src/generation-service/runs/endpoints.ts';
import type { HttpFault, ServiceScript } from './script.ts';

const GARBAGE = '<!doctype html>{"id": \u0000';
const scriptedBody = JSON.stringify({ error_code: 'SCRIPTED', detail: 'A scripted answer.' });

/** Counts every call and answers with the faults of the script. */
export function createFaults(script: ServiceScript | undefined) {
  const counts = new Map<string, number>();

  const middleware: MiddlewareHandler<ServiceEnv> = async (c, next) => {
    const { method, path } = c.req;
    const operation = operationOf(method, path);
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    const fault = script?.http?.({ method, path, operation, count });
    if (fault === undefined) return next();
    if (fault.when === 'after') await next();
    if (fault.delayMs !== undefined) await sleep(fault.delayMs, undefined, { ref: false });
    if (fault.kind === 'delay') return fault.when === 'after' ? undefined : next();
    c.res = undefined;
    c.res = await respond(fault, c);
  };
  return { middleware, calls: (): Record<string, number> => Object.fromEntries(counts) };
}

async function respond(
  fault: Exclude<HttpFault, { kind: 'delay' }>,
  c: Context<ServiceEnv>,
): Promise<Response> {
  const { socket } = c.env.incoming;
  if (fault.kind === 'status' || fault.kind === 'garbage') {
    const headers = { 'content-type': 'application/json', ...fault.headers };
    if (fault.kind === 'garbage') return new Response(fault.body ?? GARBAGE, { headers });
    return new Response(fault.body ?? scriptedBody, { status: fault.status, headers });
  }
  if (fault.kind === 'reset') socket.resetAndDestroy();
  // A hanging call ends when the client gives up or the service closes.
  if (!socket.destroyed) await once(socket, 'close');
  return new Response(null, { status: 499 });
}

/** A finite set of names, so that counting calls cannot grow without bound. */
function operationOf(method: string, path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  const status = familyNames
    .map((family) => FAMILIES[family].statusPath)
    .find((prefix) => trimmed.startsWith(`${prefix}/`));
  if (status !== undefined) return `${method} ${status}/{id}`;
  if (trimmed.startsWith('/api/alias/')) return `${method} /api/alias/{id}`;
  if (trimmed.startsWith('/files/')) return `${method} /files/{name}`;
  if (trimmed.startsWith('/previews/')) return `${method} /previews/{name}`;
  return known.has(trimmed) ? `${method} ${trimmed}` : 'unknown';
}

const known = new Set([
  ...runEndpoints.map(({ path }) => path),
  ...CATALOG_ROUTES.map(([path]) => path),
  '/v1/users/me/my-custom-filters',
  '/my-aliases',
  '/api/alias',
]);
