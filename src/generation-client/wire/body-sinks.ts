import { InvalidResponse } from './errors.ts';
import type { BodySink } from './exchange.ts';

/** Collects the bytes of a JSON document, up to a limit, and parses them. */
export function createJsonText(maxBytes: number, TooLarge = InvalidResponse) {
  let bytes = Buffer.allocUnsafe(Math.min(maxBytes, 1024));
  let length = 0;
  return {
    add(chunk: Buffer, from: number, to: number): void {
      const needed = length + to - from;
      if (needed > maxBytes) throw new TooLarge('the answer is larger than allowed');
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(needed, bytes.length * 2)));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      chunk.copy(bytes, length, from, to);
      length = needed;
    },
    parse(): unknown {
      return parseJsonBytes(bytes.subarray(0, length));
    },
  };
}

/** Parses untrusted JSON after checking its shape. */
export function parseJsonBytes(bytes: Buffer): unknown {
  checkShape(bytes);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new InvalidResponse('the answer is not valid JSON');
  }
}

const MOST_LEVELS = 32;
/** Enough for ten thousand entries with twenty fields each. */
const MOST_VALUES = 200_000;

/** Limits nesting and the number of values before parsing, because JSON.parse blocks for seconds on megabytes of brackets. */
function checkShape(bytes: Buffer): void {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x22) at = endOfString(bytes, at);
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      values += 1;
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    else if (byte === 0x2c) values += 1;
    if (depth > MOST_LEVELS || values > MOST_VALUES)
      throw new InvalidResponse('the answer is nested too deeply or too long');
  }
}

/** The position where the string that opens at `from` closes. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
  return at;
}

/** Makes a sink that passes a whole JSON response of bounded size to `read`. */
export function jsonSink<T>(maxBytes: number, read: (document: unknown) => T): BodySink<T> {
  const text = createJsonText(maxBytes);
  return { write: (chunk) => text.add(chunk, 0, chunk.length), end: () => read(text.parse()) };
}

/** Makes a sink for responses whose content is ignored. */
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

/** Makes a sink for JSON whose content is ignored; only its first byte is checked. */
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

const MOST_BLANKS = 1024;

/** Checks the first byte of a response, so that one that is not JSON, such as a proxy's error page, is refused at once. */
export function createFirstByteCheck(allowed: readonly string[]): (chunk: Buffer) => void {
  let blanks = 0;
  let begun = false;
  return (chunk) => {
    if (begun) return;
    const text = chunk.toString('latin1', 0, MOST_BLANKS);
    // The byte order mark of UTF-8 counts as blank.
    const at = text.search(/[^ \t\r\n\xef\xbb\xbf]/);
    blanks += at < 0 ? chunk.length : at;
    begun = at >= 0;
    if (blanks > MOST_BLANKS || (begun && !allowed.includes(text.charAt(at))))
      throw new InvalidResponse('the answer is not the JSON that was asked for');
  };
}

/** Collects the start of an error response; the exchange ends as soon as there is enough. */
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
