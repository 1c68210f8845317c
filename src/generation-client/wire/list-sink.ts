import { createFirstByteCheck, ignoringSink, parseJsonBytes } from './body-sinks.ts';
import { InvalidResponse } from './errors.ts';
import type { BodySink } from './exchange.ts';

interface ListBounds {
  bytes: number;
  /** A larger entry is left out. */
  entryBytes: number;
  /** More are left out. */
  entries: number;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING: readonly (number | undefined)[] = [0x5b, 0x7b];
const CLOSING: readonly (number | undefined)[] = [0x5d, 0x7d];
const LONGEST_KEY = 64;

/**
 * Reads a list, bare or in an envelope, entry by entry: however long it is, only what `read` returns of each entry is kept. Drops
 * unusable entries and duplicates; a list without any usable one is an error.
 */
export function listSink<T extends { readonly id: string }>(
  bounds: ListBounds,
  envelope: readonly string[],
  read: (entry: unknown) => T | undefined,
): BodySink<T[]> {
  const found = new Map<string, T>();
  const count = ignoringSink(bounds.bytes);
  const checkFirstByte = createFirstByteCheck(['[', '{']);
  let entries = 0;
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  /** The last string outside of lists: the key, when one begins. */
  let key = '';
  /** The nesting depth of the list's entries; 0: it has not begun. */
  let listDepth = 0;
  let isOver = false;
  let pieces: Buffer[] = [];
  let size = 0;

  const add = (piece: Buffer): void => {
    size += piece.length;
    if (size > bounds.entryBytes) pieces = [];
    else pieces.push(piece);
  };
  const endEntry = (): void => {
    const bytes = Buffer.concat(pieces);
    const isRead = size <= bounds.entryBytes && bytes.toString('latin1').trim() !== '';
    [pieces, size] = [[], 0];
    if (!isRead || entries >= bounds.entries) return;
    entries += 1;
    const entry = read(parseJsonBytes(bytes));
    if (entry !== undefined && !found.has(entry.id)) found.set(entry.id, entry);
  };
  const stringByte = (byte: number): void => {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) isString = false;
    if (isString && depth === 1 && key.length < LONGEST_KEY) key += String.fromCharCode(byte);
  };
  /** Returns whether the list begins or an entry ends here. */
  const structureByte = (byte: number): boolean => {
    if (byte === QUOTE) {
      isString = true;
      if (depth === 1) key = '';
    } else if (OPENING.includes(byte)) {
      depth += 1;
      const isList = byte === OPENING[0] && (depth === 1 || (depth === 2 && envelope.includes(key)));
      if (isList && listDepth === 0) {
        listDepth = depth;
        return true;
      }
    } else if (CLOSING.includes(byte)) {
      depth -= 1;
      return listDepth > 0 && depth === listDepth - 1;
    }
    return byte === COMMA && depth === listDepth;
  };

  return {
    write(chunk) {
      count.write(chunk);
      checkFirstByte(chunk);
      let from = 0;
      for (const [at, byte] of chunk.entries()) {
        if (isOver) return;
        if (isString) stringByte(byte);
        else {
          const hadBegun = listDepth > 0;
          if (!structureByte(byte)) continue;
          if (hadBegun) {
            add(chunk.subarray(from, at));
            endEntry();
          }
          from = at + 1;
          isOver = depth < listDepth;
        }
      }
      if (listDepth > 0 && !isOver) add(chunk.subarray(from));
    },
    end() {
      if (listDepth === 0) throw new InvalidResponse('the answer is not a list');
      if (!isOver) throw new InvalidResponse('the answer is not valid JSON');
      if (found.size === 0 && entries > 0) throw new InvalidResponse('no entry of the list can be used');
      return [...found.values()];
    },
  };
}
