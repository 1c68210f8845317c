import { createJsonText } from '../wire/json-text.ts';
import { ResponseProblem, UnusableResult } from '../wire/response-problem.ts';
import { type Base64Picture, createBase64Picture } from './base64-picture.ts';
import { createPathTracker } from './json-path.ts';
import { createUnescaper } from './json-unescape.ts';

export type ScannedResult = {
  /** The document as JSON.parse gives it, except that pictures are empty strings. */
  rest: unknown;
  /** `output.images[0]`, decoded. */
  picture: Buffer | undefined;
};

export type ResultScanner = { write: (chunk: Buffer) => void; end: () => ScannedResult };

export type ScanLimits = { maxPictureBytes: number; maxRestBytes: number };

const quote = 0x22;
const backslash = 0x5c;

/**
 * Reads a status answer while it arrives. `output.images[0]` is megabytes of base64: it is decoded chunk by
 * chunk into its final buffer and never exists as a string. Everything else is small: it is put aside and
 * given to JSON.parse at the end, which also makes it the judge of the grammar.
 */
export function createResultScanner(limits: ScanLimits, contentLength: number | undefined): ResultScanner {
  const rest = createJsonText(limits.maxRestBytes, UnusableResult);
  const path = createPathTracker();
  const unescaper = createUnescaper();
  let mode: 'outside' | 'string' | 'picture' | 'skip' = 'outside';
  let escaped = false;
  let decoder: Base64Picture | undefined;
  let picture: Buffer | undefined;
  // Pictures nobody asked for are skipped, not endlessly.
  let remaining = limits.maxRestBytes + limits.maxPictureBytes * 3;

  /** Structure and ordinary strings: kept as they are. Returns where the next mode begins. */
  function scanKept(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length) {
      const byte = chunk[at++];
      if (mode === 'string') {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          mode = 'outside';
          path.endString();
          continue;
        }
        if (byte !== undefined) path.stringByte(byte);
      } else if (byte === quote) {
        mode = path.beginString();
        if (mode !== 'string') break;
      } else if (byte !== undefined) path.structureByte(byte);
    }
    rest.add(chunk, from, at);
    return at;
  }

  /** A picture: returns where its closing quote stands, or the end of the chunk. */
  function scanPicture(chunk: Buffer, from: number): number {
    if (mode === 'picture') decoder ??= createBase64Picture(limits.maxPictureBytes, contentLength);
    let end = chunk.indexOf(quote, from);
    if (end < 0) end = chunk.length;
    const slash = chunk.indexOf(backslash, from);
    const plain = !unescaper.open() && (slash < 0 || slash > end);
    if (plain) decoder?.feed(chunk.subarray(from, end));
    else {
      const unescaped = unescaper.take(chunk, from);
      decoder?.feed(unescaped.characters);
      end = unescaped.end;
    }
    if (end < chunk.length) endPicture();
    return end;
  }

  function endPicture(): void {
    // A repeated key replaces what stood there before, as in JSON.parse.
    if (mode === 'picture') picture = decoder?.finish();
    decoder = undefined;
    mode = 'outside';
  }

  return {
    write(chunk) {
      remaining -= chunk.length;
      if (remaining < 0) throw new UnusableResult('the answer is larger than allowed');
      let at = 0;
      while (at < chunk.length) {
        if (mode === 'picture' || mode === 'skip') {
          at = scanPicture(chunk, at);
          if (at < chunk.length) {
            rest.add(chunk, at, at + 1);
            path.endString();
            at += 1;
          }
        } else at = scanKept(chunk, at);
      }
    },
    end() {
      const document = rest.parse();
      if (mode !== 'outside') throw new ResponseProblem('the answer is not valid JSON');
      return { rest: document, picture };
    },
  };
}
