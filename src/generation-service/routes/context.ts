import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { parseLength, readBody } from '../../base/network/read-body.ts';
import { HttpError } from '../interface/http-error.ts';
import type { Callers } from '../storage/callers.ts';

export const API_KEY_HEADER = 'X-API-Key';

export interface Env {
  Bindings: HttpBindings;
}
type ServiceContext = Context<Env>;

/** Which user a request's credentials belong to; anything else is refused with 401. */
export function createIdentify(callers: Callers) {
  const key = (c: ServiceContext) => callers.userOfKey(c.req.header(API_KEY_HEADER));
  const token = (c: ServiceContext) =>
    callers.userOfToken(/^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]);
  const required = (user: string | undefined, wanted: string): string => {
    if (user === undefined) throw new HttpError(401, 'UNAUTHORIZED', `A valid ${wanted} is required.`);
    return user;
  };
  return {
    key: (c: ServiceContext) => required(key(c), `API key in the ${API_KEY_HEADER} header`),
    token: (c: ServiceContext) => required(token(c), 'bearer token'),
    /** Videos take the token, pictures the key. */
    forOutput(c: ServiceContext, output: 'picture' | 'video') {
      return output === 'video' ? this.token(c) : this.key(c);
    },
    either: (c: ServiceContext) => required(key(c) ?? token(c), 'API key or bearer token'),
  };
}

export type Identify = ReturnType<typeof createIdentify>;

const MAX_BODY = 64 * 1024 * 1024;

/** Read from the socket itself, so that no more than the bound is held; the length header may be wrong. */
export async function readJson(c: ServiceContext): Promise<unknown> {
  const announced = parseLength(c.req.header('content-length'));
  const body = await readBody(c.env.incoming, { maxBytes: MAX_BODY, announced });
  if (body === 'too-large') {
    throw new HttpError(413, 'BODY_TOO_LARGE', `The request body is larger than ${MAX_BODY} bytes.`);
  }
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new HttpError(400, 'INVALID_JSON', 'The request body is not valid JSON.');
  }
}
