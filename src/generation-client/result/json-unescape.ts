const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** Not a base64 character, so the decoder refuses it. */
const INVALID_BYTE = 0xff;

/** Short escapes that can occur in base64; line breaks are dropped. */
const shortEscapes = new Map<number, number | undefined>([
  [0x2f, 0x2f],
  [0x6e, undefined],
  [0x72, undefined],
  [0x74, undefined],
  [0x66, undefined],
]);

/** Removes JSON escapes from a base64 string that arrives in chunks, split anywhere. */
export function createUnescaper() {
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

    /** Characters from `from` up to the closing quote or the end of the chunk. */
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
