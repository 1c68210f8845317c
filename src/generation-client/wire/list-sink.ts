import { createFirstByteCheck, ignoringSink, parseJsonBytes } from './body-sinks.ts';
import { InvalidResponse } from './errors.ts';
import type { BodySink } from './exchange.ts';

interface ListBounds {
  bytes: number;
  /** Size limit of an entry; larger entries are left out. */
  entryBytes: number;
  /** Limit of the number of entries; further ones are left out. */
  entries: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: readonly (number | undefined)[] = [0x5b, 0x7b];
const CLOSING: readonly (number | undefined)[] = [0x5d, 0x7d];
const LONGEST_KEY = 64;

/**
 * Collects the entries of a list of the service, which is bare or in an envelope; of several lists in an envelope the first one
 * by name that is not empty counts. Drops unusable entries and duplicates. Throws if a list has entries and none of them is
 * usable.
 */
export function createLists<T extends { readonly id: string | number }, Entry>(
  envelope: readonly string[],
  mostEntries: number,
  read: (entry: Entry) => T | undefined,
) {
  const lists = new Map<string | undefined, { entries: number; found: Map<T['id'], T> }>();
  let current = { entries: 0, found: new Map<T['id'], T>() };
  return {
    /** Begins a list. `name` is its key in the envelope; a bare list has none. */
    begin(name?: string): void {
      current = { entries: 0, found: new Map() };
      lists.set(name, current);
    },
    add(parse: () => Entry): void {
      if (current.entries >= mostEntries) return;
      current.entries += 1;
      const entry = read(parse());
      if (entry !== undefined && !current.found.has(entry.id)) current.found.set(entry.id, entry);
    },
    end(): T[] {
      const inOrder = [undefined, ...envelope].flatMap((name) => lists.get(name) ?? []);
      const list = inOrder.find(({ entries }) => entries > 0) ?? inOrder[0];
      if (list === undefined) throw new InvalidResponse('the answer is not a list');
      if (list.found.size === 0 && list.entries > 0)
        throw new InvalidResponse('no entry of the list can be used');
      return [...list.found.values()];
    },
  };
}

/** Parses lists entry by entry: however long they are, only what `read` returns for each entry is kept in memory. */
export function listSink<T extends { readonly id: string }>(
  bounds: ListBounds,
  envelope: readonly string[],
  read: (entry: unknown) => T | undefined,
): BodySink<T[]> {
  const lists = createLists(envelope, bounds.entries, read);
  const count = ignoringSink(bounds.bytes);
  const checkFirstByte = createFirstByteCheck(['[', '{']);
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  /** The last string outside of lists, which is the key if a list begins. */
  let key = '';
  /** The nesting depth of the current list's entries; 0 outside of lists. */
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
    pieces = [];
    size = 0;
    if (isRead) lists.add(() => parseJsonBytes(bytes));
  };
  const stringByte = (byte: number): void => {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) isString = false;
    if (isString && depth === 1 && key.length < LONGEST_KEY) key += String.fromCharCode(byte);
  };
  /** Returns whether a list begins or an entry ends at this byte. */
  const structureByte = (byte: number): boolean => {
    if (byte === QUOTE) {
      isString = true;
      if (depth === 1) key = '';
    } else if (OPENING.includes(byte)) {
      depth += 1;
      const isList = byte === OPENING[0] && (depth === 1 || (depth === 2 && envelope.includes(key)));
      if (isList && listDepth === 0) {
        listDepth = depth;
        lists.begin(depth === 1 ? undefined : key);
        return true;
      }
    } else if (CLOSING.includes(byte)) {
      depth -= 1;
      isOver = depth === 0;
      return listDepth > 0 && depth === listDepth - 1;
    }
    return byte === COMMA && listDepth > 0 && depth === listDepth;
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
          if (depth < listDepth) listDepth = 0;
        }
      }
      if (listDepth > 0) add(chunk.subarray(from));
    },
    end() {
      if (!isOver) throw new InvalidResponse('the answer is not valid JSON');
      return lists.end();
    },
  };
}
