import { createJsonText } from '../wire/body-sinks.ts';
import { InvalidResponse, UnusableResult } from '../wire/errors.ts';
import { type Base64Picture, createBase64Picture } from './base64-picture.ts';

interface Frame {
  array: boolean;
  key: string;
  index: number;
  expectsKey: boolean;
}

const MOST_LEVELS = 64;
/** Longer keys are not searched for, so their bytes are not kept. */
const LONGEST_KEY = 64;

/** Tracks the position in a JSON document, enough to recognise `output.images[n]`. JSON.parse checks the grammar at the end. */
function createPathTracker() {
  const stack: Frame[] = [];
  let key: number[] | undefined;

  const onPicture = (): boolean =>
    stack.length === 3 &&
    stack[0]?.array === false &&
    stack[0].key === 'output' &&
    stack[1]?.array === false &&
    stack[1].key === 'images' &&
    stack[2]?.array === true;

  return {
    structureByte(byte: number): void {
      const top = stack.at(-1);
      if (stack.length > MOST_LEVELS) throw new InvalidResponse('the answer is nested too deeply');
      if (byte === 0x7b) stack.push({ array: false, key: '', index: 0, expectsKey: true });
      else if (byte === 0x5b) stack.push({ array: true, key: '', index: 0, expectsKey: false });
      else if (byte === 0x7d || byte === 0x5d) stack.pop();
      else if (top === undefined) return;
      else if (byte === 0x3a) top.expectsKey = false;
      else if (byte === 0x2c) {
        top.index += 1;
        top.expectsKey = !top.array;
      }
    },

    /** Called when a string starts. Returns whether it is the first picture, a further one (`skip`), or any other string. */
    beginString(): 'string' | 'picture' | 'skip' {
      const top = stack.at(-1);
      key = top?.expectsKey ? [] : undefined;
      if (!onPicture()) return 'string';
      return top?.index === 0 ? 'picture' : 'skip';
    },

    stringByte(byte: number): void {
      if (key !== undefined && key.length <= LONGEST_KEY) key.push(byte);
    },

    endString(): void {
      const top = stack.at(-1);
      if (key !== undefined && top !== undefined) top.key = keyText(key);
      key = undefined;
    },
  };
}

/** Decodes a key, which may contain escapes: "\u006futput" is "output". */
function keyText(bytes: number[]): string {
  if (bytes.length > LONGEST_KEY) return '';
  const raw = Buffer.from(bytes).toString('utf8');
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return '';
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** A byte that is not base64, so the decoder refuses it. */
const INVALID_BYTE = 0xff;

/** The short JSON escapes that can occur in base64, with the byte that they stand for; line breaks are dropped. */
const shortEscapes = new Map<number, number | undefined>([
  [0x2f, 0x2f],
  [0x6e, undefined],
  [0x72, undefined],
  [0x74, undefined],
  [0x66, undefined],
]);

/** Removes JSON escapes from a base64 string that arrives in chunks, split anywhere. */
function createUnescaper() {
  let state: 'plain' | 'escape' | 'unicode' = 'plain';
  let hex = '';

  function unicodeDigit(byte: number): number | undefined {
    hex += String.fromCharCode(byte);
    if (hex.length < 4) return undefined;
    const code = /^[0-9a-fA-F]{4}$/.test(hex) ? Number.parseInt(hex, 16) : INVALID_BYTE;
    state = 'plain';
    return code < 0x80 ? code : INVALID_BYTE;
  }

  function escapeLetter(byte: number): number | undefined {
    hex = '';
    state = byte === LETTER_U ? 'unicode' : 'plain';
    if (byte === LETTER_U) return undefined;
    return shortEscapes.has(byte) ? shortEscapes.get(byte) : INVALID_BYTE;
  }

  return {
    /** Whether the last chunk ended inside an escape. */
    isInEscape: (): boolean => state !== 'plain',

    /** Returns the unescaped characters from `from` up to the closing quote or the end of the chunk. */
    take(chunk: Buffer, from: number): { characters: Buffer; end: number } {
      const characters = Buffer.allocUnsafe(chunk.length - from);
      let length = 0;
      let at = from;
      for (; at < chunk.length; at += 1) {
        const byte = chunk[at] ?? INVALID_BYTE;
        let out: number | undefined = byte;
        if (state === 'escape') out = escapeLetter(byte);
        else if (state === 'unicode') out = unicodeDigit(byte);
        else if (byte === BACKSLASH) {
          state = 'escape';
          continue;
        } else if (byte === QUOTE) break;
        if (out !== undefined) characters[length++] = out;
      }
      return { characters: characters.subarray(0, length), end: at };
    },
  };
}

/** A status response, split into the picture and the other fields. */
export interface ScannedResult {
  /** The document as JSON.parse returns it, except that pictures are empty strings. */
  rest: unknown;
  /** `output.images[0]`, decoded. */
  picture: Buffer | undefined;
}

interface ScanLimits {
  maxPictureBytes: number;
  maxRestBytes: number;
}

/**
 * Parses a status response while it arrives. `output.images[0]`, megabytes of base64, is decoded chunk by chunk into its final
 * buffer; the other fields are small and go to JSON.parse at the end.
 */
export function createResultScanner(limits: ScanLimits, contentLength: number | undefined) {
  const rest = createJsonText(limits.maxRestBytes, UnusableResult);
  const path = createPathTracker();
  const unescaper = createUnescaper();
  let mode: 'outside' | 'string' | 'picture' | 'skip' = 'outside';
  let escaped = false;
  let decoder: Base64Picture | undefined;
  let picture: Buffer | undefined;
  // Limit of the whole response: further pictures are skipped up to this size.
  let remaining = limits.maxRestBytes + limits.maxPictureBytes * 3;

  /** Scans structure and ordinary strings, which are kept for JSON.parse. Returns where the next mode starts. */
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

  /** Scans a picture. Returns the position of its closing quote, or the end of the chunk. */
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
