import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { parseLength, readBody } from '../../base/network/read-body.ts';
import { HttpError } from '../interface/http-error.ts';
import type { Account } from '../storage/account.ts';

export const API_KEY_HEADER = 'X-API-Key';

export interface ServiceEnv {
  Bindings: HttpBindings;
}
type ServiceContext = Context<ServiceEnv>;

/** Creates the checks of credentials, which refuse a request with 401. */
export function createRequireCredentials({ hasKey, hasToken }: Account) {
  const key = (c: ServiceContext) => hasKey(c.req.header(API_KEY_HEADER));
  const token = (c: ServiceContext) =>
    hasToken(/^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]);
  const refuseUnless = (isGiven: boolean, wanted: string): void => {
    if (!isGiven) throw new HttpError(401, 'UNAUTHORIZED', `A valid ${wanted} is required.`);
  };
  return {
    key: (c: ServiceContext) => refuseUnless(key(c), `API key in the ${API_KEY_HEADER} header`),
    token: (c: ServiceContext) => refuseUnless(token(c), 'bearer token'),
    /** Videos need the token, pictures the key. */
    forOutput(c: ServiceContext, output: 'picture' | 'video') {
      return output === 'video' ? this.token(c) : this.key(c);
    },
    either: (c: ServiceContext) => refuseUnless(key(c) || token(c), 'API key or bearer token'),
  };
}

export type RequireCredentials = ReturnType<typeof createRequireCredentials>;

const MAX_BODY = 64 * 1024 * 1024;

/**
 * Reads a JSON body from the socket itself, so that no more than the limit is held in memory; the length header may be wrong.
 */
export async function readJson(c: ServiceContext): Promise<unknown> {
  const announced = parseLength(c.req.header('content-length'));
  const body = await readBody(c.env.incoming, { maxBytes: MAX_BODY, announced }).catch(() => {
    throw new HttpError(400, 'INVALID_JSON', 'The request body ended too early.');
  });
  if (body === 'too-large') {
    throw new HttpError(413, 'BODY_TOO_LARGE', `The request body is larger than ${MAX_BODY} bytes.`);
  }
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new HttpError(400, 'INVALID_JSON', 'The request body is not valid JSON.');
  }
}
