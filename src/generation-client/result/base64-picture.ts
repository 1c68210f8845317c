import { pictureType, SIGNATURE_LENGTH } from '../../base/picture-type.ts';
import { UnusableResult } from '../wire/errors.ts';

const FIRST_GUESS = 256 * 1024;
/**
 * Length of the pieces that are converted at once: strings of this size stay in the young generation of the heap, where they
 * are cheap.
 */
const PIECE_LENGTH = 16 * 1024;
const LONGEST_DATA_URI_HEAD = 128;
const LINE_BREAK = /[\t\r\n\f]/;
const LINE_BREAKS = /[\t\r\n\f]+/g;

export type Base64Picture = ReturnType<typeof createBase64Picture>;

/**
 * Decodes a base64 picture while it arrives, directly into its final buffer. The buffer's size is estimated from `sizeHint`
 * (characters) and grows if needed. Anything but base64 of a picture is refused early.
 */
export function createBase64Picture(maxBytes: number, sizeHint: number | undefined) {
  let buffer = Buffer.allocUnsafeSlow(
    Math.min(maxBytes, sizeHint === undefined ? FIRST_GUESS : bytesOf(sizeHint)),
  );
  let length = 0;
  let carry = '';
  let head: string | undefined = '';
  let ended = false;
  let started = false;
  let closed = false;

  function reserve(more: number): void {
    const needed = length + more;
    if (needed <= buffer.length) return;
    if (needed > maxBytes) throw new UnusableResult('the picture is larger than allowed');
    const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, Math.max(needed, buffer.length * 2)));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  }

  /** Decodes `text`, whose length is a multiple of four. Node skips invalid characters, so a short result reveals them. */
  function decode(text: string): void {
    if (text === '') return;
    if (ended) throw new UnusableResult('the picture is not base64');
    const padding = paddingOf(text);
    const expected = bytesOf(text.length) - padding;
    reserve(expected);
    if (buffer.write(text, length, expected, 'base64') !== expected) {
      throw new UnusableResult('the picture is not base64');
    }
    ended = padding > 0;
    const beginningWasOpen = length < SIGNATURE_LENGTH;
    length += expected;
    if (beginningWasOpen && length >= SIGNATURE_LENGTH) verifyBeginning();
  }

  function verifyBeginning(): void {
    // The interface promises PNG; JPEG and WebP are accepted because the job was paid for.
    if (pictureType(buffer.subarray(0, length)) === undefined) {
      throw new UnusableResult('the picture is none that we know');
    }
  }

  /** Drops blanks around the text. A blank inside is refused: it may be a `+` that form encoding changed. */
  function trimmed(piece: string): string {
    const text = started ? piece : piece.trimStart();
    if (text === '') return '';
    started = true;
    const blank = text.indexOf(' ');
    const end = blank < 0 ? text.length : blank;
    if ((closed && text.trim() !== '') || text.slice(end).trim() !== '')
      throw new UnusableResult('the picture is not base64');
    closed ||= blank >= 0;
    return text.slice(0, end);
  }

  function take(text: string): void {
    const missing = carry === '' ? 0 : 4 - carry.length;
    const first = text.slice(0, missing);
    if (first.length < missing) {
      carry += first;
      return;
    }
    decode(carry + first);
    const whole = missing + ((text.length - missing) & ~3);
    decode(missing === 0 && whole === text.length ? text : text.slice(missing, whole));
    carry = text.slice(whole);
  }

  /** Skips the head of a data URI. A colon is not base64, so the first five characters tell a data URI from a picture. */
  function skipDataUriHead(text: string): string {
    const seen = `${head ?? ''}${text}`.trimStart();
    head = seen;
    if (seen.length < 5) return '';
    const comma = seen.indexOf(',');
    if (!seen.toLowerCase().startsWith('data:')) {
      head = undefined;
      return seen;
    }
    if (comma < 0 && seen.length <= LONGEST_DATA_URI_HEAD) return '';
    if (comma < 0 || !seen.slice(0, comma).toLowerCase().endsWith(';base64')) {
      throw new UnusableResult('the picture is not base64');
    }
    head = undefined;
    return seen.slice(comma + 1);
  }

  return {
    /** Decodes more base64 characters, split anywhere; the head of a data URI is allowed before them. */
    feed(characters: Buffer): void {
      for (let from = 0; from < characters.length; from += PIECE_LENGTH) {
        const piece = characters.toString('latin1', from, Math.min(characters.length, from + PIECE_LENGTH));
        const text = LINE_BREAK.test(piece) ? piece.replaceAll(LINE_BREAKS, '') : piece;
        take(trimmed(head === undefined ? text : skipDataUriHead(text)));
      }
    },
    /** Returns the picture in one buffer, without a copy; undefined if nothing was fed. */
    finish(): Buffer | undefined {
      if (head === '') return undefined;
      if (head !== undefined) carry = head;
      // Padding may be missing; a single leftover character holds no byte.
      if (carry.length > 0) decode(carry.padEnd(4, '='));
      if (length < SIGNATURE_LENGTH) verifyBeginning();
      const picture = buffer.subarray(0, length);
      // Copied if the buffer is far too large, so that a wrong Content-Length does not keep that much memory.
      return length * 2 < buffer.length ? Buffer.from(picture) : picture;
    },
  };
}

/** The number of padding characters at the end of base64 text. */
function paddingOf(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}

const bytesOf = (characters: number): number => Math.floor(characters / 4) * 3;
