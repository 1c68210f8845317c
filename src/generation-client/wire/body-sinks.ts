import type { BodySink } from './exchange.ts';
import { InvalidResponse } from './invalid-response.ts';
import { createJsonText } from './json-text.ts';

/** Passes a whole JSON response of bounded size to `read`. */
export function jsonSink<T>(maxBytes: number, read: (document: unknown) => T): BodySink<T> {
  const text = createJsonText(maxBytes);
  return { write: (chunk) => text.add(chunk, 0, chunk.length), end: () => read(text.parse()) };
}

/** For responses whose content does not matter. */
export function ignoringSink(maxBytes: number): BodySink<undefined> {
  let length = 0;
  return {
    write(chunk) {
      length += chunk.length;
      if (length > maxBytes) throw new InvalidResponse('the answer is larger than allowed');
    },
    end: () => undefined,
  };
}

/** For JSON whose content does not matter; only its first byte is checked. */
export function anyJsonSink(maxBytes: number): BodySink<undefined> {
  const { write, end } = ignoringSink(maxBytes);
  const check = createFirstByteCheck(['[', '{']);
  return {
    write(chunk) {
      check(chunk);
      write(chunk);
    },
    end,
  };
}

const MAX_BLANKS = 1024;

/** Stops at the first byte of what is not JSON, such as a proxy's error page. */
export function createFirstByteCheck(allowed: readonly string[]): (chunk: Buffer) => void {
  let blanks = 0;
  let begun = false;
  return (chunk) => {
    if (begun) return;
    const text = chunk.toString('latin1', 0, MAX_BLANKS);
    // UTF-8's byte order mark counts as blank.
    const at = text.search(/[^ \t\r\n\xef\xbb\xbf]/);
    blanks += at < 0 ? chunk.length : at;
    begun = at >= 0;
    if (blanks > MAX_BLANKS || (begun && !allowed.includes(text.charAt(at))))
      throw new InvalidResponse('the answer is not the JSON that was asked for');
  };
}

/** Collects the start of an error's body; the exchange ends as soon as there is enough. */
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
