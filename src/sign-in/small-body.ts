import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import { announcedBytes, readBody } from '../base/network/read-body.ts';
import { parseJson } from '../base/parse-json.ts';

/**
 * Reads a body as text, also one without `Content-Length`, on which hono's `bodyLimit` fails. Throws an HTTPException if it is
 * too large or incomplete.
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

/** `undefined`: not JSON, or of another shape. */
export async function readJsonBody<T>(request: Request, schema: z.ZodType<T>): Promise<T | undefined> {
  return schema.safeParse(parseJson(await readSmallBody(request, MOST_JSON_BYTES))).data;
}
