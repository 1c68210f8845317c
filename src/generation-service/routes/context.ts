import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Callers } from '../callers.ts';
import { Problem } from '../problem.ts';

export const apiKeyHeader = 'X-API-Key';

export type Env = { Bindings: HttpBindings };
type ServiceContext = Context<Env>;

/** Which user a request's credentials belong to; anything else is refused with 401. */
export function createIdentify(callers: Callers) {
  const key = (c: ServiceContext) => callers.ofKey(c.req.header(apiKeyHeader));
  const token = (c: ServiceContext) =>
    callers.ofToken(/^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]);
  const demand = (user: string | undefined, wanted: string): string => {
    if (user === undefined) throw new Problem(401, 'UNAUTHORIZED', `A valid ${wanted} is required.`);
    return user;
  };
  return {
    key: (c: ServiceContext) => demand(key(c), `API key in the ${apiKeyHeader} header`),
    token: (c: ServiceContext) => demand(token(c), 'bearer token'),
    either: (c: ServiceContext) => demand(key(c) ?? token(c), 'API key or bearer token'),
  };
}

export type Identify = ReturnType<typeof createIdentify>;

const maxBody = 64 * 1024 * 1024;

/** Read from the socket itself, so that a body is never held beyond the bound, whatever its length header says. */
export async function readJson(c: ServiceContext): Promise<unknown> {
  const { incoming } = c.env;
  const chunks: Buffer[] = [];
  let size = 0;
  if (Number(incoming.headers['content-length'] ?? 0) > maxBody) throw tooLarge();
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > maxBody) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Problem(400, 'INVALID_JSON', 'The request body is not valid JSON.');
  }
}

const tooLarge = () =>
  new Problem(413, 'BODY_TOO_LARGE', `The request body is larger than ${maxBody} bytes.`);
