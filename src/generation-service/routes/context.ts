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

/** Read from the socket itself: counting while it arrives bounds memory whatever the headers announce. */
async function readBody({ env: { incoming } }: ServiceContext): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > maxBody) {
      throw new Problem(413, 'BODY_TOO_LARGE', `The request body is larger than ${maxBody} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

export async function readJson(c: ServiceContext): Promise<unknown> {
  const body = await readBody(c);
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new Problem(400, 'INVALID_JSON', 'The request body is not valid JSON.');
  }
}
