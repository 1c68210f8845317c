import type { IncomingMessage } from 'node:http';
import { parseLength, readBody } from '../../base/network/read-body.ts';

/** The body of a request or a response, or `too-large`. */
export function readMessage(message: IncomingMessage, maxBytes: number): Promise<Buffer | 'too-large'> {
  return readBody(message, { maxBytes, announced: parseLength(message.headers['content-length']) });
}
