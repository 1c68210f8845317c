import type { BodySink } from './exchange.ts';
import { createJsonText } from './json-text.ts';
import { ResponseProblem } from './response-problem.ts';

/** A whole JSON answer of a bounded size, handed to `read` at the end. */
export function jsonSink<T>(maxBytes: number, read: (document: unknown) => T): BodySink<T> {
  const text = createJsonText(maxBytes);
  return { write: (chunk) => text.add(chunk, 0, chunk.length), end: () => read(text.parse()) };
}

/** For answers whose content does not matter. */
export function ignoringSink(maxBytes: number): BodySink<undefined> {
  let length = 0;
  return {
    write(chunk) {
      length += chunk.length;
      if (length > maxBytes) throw new ResponseProblem('the answer is larger than allowed');
    },
    end: () => undefined,
  };
}

/** Some JSON, of which nothing but the first byte is looked at. */
export function anyJsonSink(maxBytes: number): BodySink<undefined> {
  const { write, end } = ignoringSink(maxBytes);
  const check = createBeginningCheck(['[', '{']);
  return {
    write(chunk) {
      check(chunk);
      write(chunk);
    },
    end,
  };
}

const longestBlank = 1024;

/** Junk (a page that a proxy shows instead of the service) is known by its first byte, and the rest is not fetched. */
export function createBeginningCheck(allowed: readonly string[]): (chunk: Buffer) => void {
  let blanks = 0;
  let begun = false;
  return (chunk) => {
    if (begun) return;
    const text = chunk.toString('latin1', 0, longestBlank);
    // The byte order mark of UTF-8 is a blank, too.
    const at = text.search(/[^ \t\r\n\xef\xbb\xbf]/);
    blanks += at < 0 ? chunk.length : at;
    begun = at >= 0;
    if (blanks > longestBlank || (begun && !allowed.includes(text.charAt(at))))
      throw new ResponseProblem('the answer is not the JSON that was asked for');
  };
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
