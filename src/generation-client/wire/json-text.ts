import { InvalidResponse } from './invalid-response.ts';

/** Collects the bytes of a JSON document, up to a limit. */
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

function parseJsonBytes(bytes: Buffer): unknown {
  checkShape(bytes);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new InvalidResponse('the answer is not valid JSON');
  }
}

const MAX_DEPTH = 32;
/** Ten thousand entries with twenty fields each. */
const MAX_VALUES = 200_000;

/** Limits nesting and values first: JSON.parse blocks for seconds on megabytes of brackets. */
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
    if (depth > MAX_DEPTH || values > MAX_VALUES)
      throw new InvalidResponse('the answer is nested too deeply or too long');
  }
}

/** Where the string that opens at `from` closes. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== 0x22) at += bytes[at] === 0x5c ? 2 : 1;
  return at;
}
