import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import { announcedBytes, readBody } from '../base/network/read-body.ts';
import { parseJson } from '../base/parse-json.ts';

/**
 * Reads a body as text. Throws an HTTPException if the body is too large or incomplete. hono's `bodyLimit` is not used,
 * because it fails on a body without `Content-Length`.
 */
export async function readSmallBody(
  request: Pick<Request, 'body' | 'headers'>,
  maxBytes: number,
): Promise<string> {
  const limits = { maxBytes, announced: announcedBytes(request.headers) };
  const body = await readBody(request.body, limits).catch(() => undefined);
  if (body === undefined) throw new HTTPException(400, { message: 'incomplete request' });
  if (body === 'too-large') throw new HTTPException(413, { message: 'too large' });
  return body.toString('utf8');
}

const MOST_JSON_BYTES = 64 * 1024;

/** Reads a JSON body of this shape; undefined if it is not JSON or has another shape. */
export async function readJsonBody<T>(request: Request, schema: z.ZodType<T>): Promise<T | undefined> {
  return schema.safeParse(parseJson(await readSmallBody(request, MOST_JSON_BYTES))).data;
}
