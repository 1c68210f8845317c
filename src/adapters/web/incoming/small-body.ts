import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';
import { announcedBytes, readBody } from '../../../base/network/read-body.ts';

/**
 * Reads a body as text, also one without `Content-Length`, on which hono's `bodyLimit` fails. Throws an HTTPException if it is
 * too large or incomplete.
 */
export async function readSmallBody(
  request: Pick<Request, 'body' | 'headers'>,
  maxBytes: number,
): Promise<string> {
  const limits = { maxBytes, announced: announcedBytes(request.headers) };
  const body = await readBody(request.body ?? new Blob([]).stream(), limits).catch(() => undefined);
  if (body === undefined) throw new HTTPException(400, { message: 'incomplete request' });
  if (body === 'too-large') throw new HTTPException(413, { message: 'too large' });
  return body.toString('utf8');
}

const MOST_JSON_BYTES = 64 * 1024;

/** `undefined`: not JSON, or of another shape. */
export async function readJsonBody<T>(request: Request, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readSmallBody(request, MOST_JSON_BYTES);
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
