import type { BodySink } from './exchange.ts';
import { createJsonText } from './json-text.ts';

/** A whole JSON answer of a bounded size, handed to `read` at the end. */
export function jsonSink<T>(maxBytes: number, read: (document: unknown) => T): BodySink<T> {
  const text = createJsonText(maxBytes);
  return { write: (chunk) => text.add(chunk, 0, chunk.length), end: () => read(text.parse()) };
}

/** For answers whose content does not matter. */
export function ignoringSink(): BodySink<undefined> {
  return { write: () => {}, end: () => undefined };
}

/** The start of an error's body; the moment there is enough of it, the exchange ends. */
export function errorSink(maxBytes: number, toError: (body: Buffer) => Error): BodySink<never> {
  const chunks: Buffer[] = [];
  let length = 0;
  const end = (): never => {
    throw toError(Buffer.concat(chunks));
  };
  return {
    write(chunk) {
      const part = chunk.subarray(0, maxBytes - length);
      chunks.push(part);
      length += part.length;
      if (length >= maxBytes) end();
    },
    end,
  };
}
