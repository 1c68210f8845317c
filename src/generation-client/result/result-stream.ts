import { InvalidResponse, UnusableResult } from '../wire/invalid-response.ts';
import { createJsonText } from '../wire/json-text.ts';
import { type Base64Picture, createBase64Picture } from './base64-picture.ts';
import { createPathTracker } from './json-path.ts';
import { createUnescaper } from './json-unescape.ts';

export interface ScannedResult {
  /** The document as JSON.parse gives it, except that pictures are empty strings. */
  rest: unknown;
  /** `output.images[0]`, decoded. */
  picture: Buffer | undefined;
}

export interface ScanLimits {
  maxPictureBytes: number;
  maxRestBytes: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reads a status response while it arrives. `output.images[0]`, megabytes of base64, is decoded chunk by chunk into its
 * final buffer; the rest is small and goes to JSON.parse at the end.
 */
export function createResultScanner(limits: ScanLimits, contentLength: number | undefined) {
  const rest = createJsonText(limits.maxRestBytes, UnusableResult);
  const path = createPathTracker();
  const unescaper = createUnescaper();
  let mode: 'outside' | 'string' | 'picture' | 'skip' = 'outside';
  let escaped = false;
  let decoder: Base64Picture | undefined;
  let picture: Buffer | undefined;
  // Further pictures are skipped, up to this limit.
  let remaining = limits.maxRestBytes + limits.maxPictureBytes * 3;

  /** Keeps structure and ordinary strings. Returns where the next mode starts. */
  function scanKept(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length) {
      const byte = chunk[at++];
      if (mode === 'string') {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          mode = 'outside';
          path.endString();
          continue;
        }
        if (byte !== undefined) path.stringByte(byte);
      } else if (byte === QUOTE) {
        mode = path.beginString();
        if (mode !== 'string') break;
      } else if (byte !== undefined) path.structureByte(byte);
    }
    rest.add(chunk, from, at);
    return at;
  }

  /** Returns the position of the picture's closing quote, or the end of the chunk. */
  function scanPicture(chunk: Buffer, from: number): number {
    if (mode === 'picture') decoder ??= createBase64Picture(limits.maxPictureBytes, contentLength);
    let end = chunk.indexOf(QUOTE, from);
    if (end < 0) end = chunk.length;
    const slash = chunk.indexOf(BACKSLASH, from);
    const plain = !unescaper.isInEscape() && (slash < 0 || slash > end);
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
    // A repeated key replaces the earlier one, as in JSON.parse.
    if (mode === 'picture') picture = decoder?.finish();
    decoder = undefined;
    mode = 'outside';
  }

  return {
    write(chunk: Buffer): void {
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
    end(): ScannedResult {
      const document = rest.parse();
      if (mode !== 'outside') throw new InvalidResponse('the answer is not valid JSON');
      return { rest: document, picture };
    },
  };
}
