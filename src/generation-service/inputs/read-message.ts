import type { IncomingMessage } from 'node:http';
import { readBody } from '../../base/read-body.ts';

/** The body of a request or a response, or `too-large`. */
export function readMessage(message: IncomingMessage, maxBytes: number): Promise<Buffer | 'too-large'> {
  const length = message.headers['content-length'];
  return readBody(message, { maxBytes, announced: length === undefined ? undefined : Number(length) });
}
