import { HTTPException } from 'hono/http-exception';
import { announcedBytes, readBody } from '../../../base/read-body.ts';

/**
 * Reads a body as text, also one without `Content-Length`, on which hono's `bodyLimit` fails. Throws an HTTPException if it is
 * too large or incomplete.
 */
export const readSmallBody = async (
  request: Pick<Request, 'body' | 'headers'>,
  maxBytes: number,
): Promise<string> => {
  const announced = announcedBytes(request.headers);
  const read = readBody(request.body ?? new Blob([]).stream(), { maxBytes, announced });
  const body = await read.catch(() => undefined);
  if (body === undefined) throw new HTTPException(400, { message: 'incomplete request' });
  if (body === 'too-large') throw new HTTPException(413, { message: 'too large' });
  return body.toString('utf8');
};
