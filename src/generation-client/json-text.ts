import { ResponseProblem } from './response-problem.ts';

/** Collects the bytes of a JSON document up to a bound. */
export function createJsonText(maxBytes: number) {
  let bytes = Buffer.allocUnsafe(Math.min(maxBytes, 1024));
  let length = 0;
  return {
    add(chunk: Buffer, from: number, to: number): void {
      const needed = length + to - from;
      if (needed > maxBytes) throw new ResponseProblem('the answer is larger than allowed');
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

export function parseJsonBytes(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new ResponseProblem('the answer is not valid JSON');
  }
}
