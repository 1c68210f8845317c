import { HTTPException } from 'hono/http-exception';
import { readBody } from '../../../base/read-body.ts';

/**
 * The text of a body, however it is sent: hono's `bodyLimit` fails on one without a length. Throws the answer to one that is
 * too large, or of which the rest never came.
 */
export const readSmallBody = async (
  request: Pick<Request, 'body' | 'headers'>,
  maxBytes: number,
): Promise<string> => {
  const announced = Number(request.headers.get('content-length') ?? 0);
  const body =
    announced > maxBytes
      ? 'too-large'
      : await readBody(request.body ?? new Blob([]).stream(), { maxBytes }).catch(() => undefined);
  if (body === undefined) throw new HTTPException(400, { message: 'incomplete request' });
  if (body === 'too-large') throw new HTTPException(413, { message: 'too large' });
  return body.toString('utf8');
};
