/** Writes a FlatBuffer: tables and vectors that point to each other by their distance. */

export type Value =
  | { readonly kind: 'int'; readonly value: number }
  | { readonly kind: 'float'; readonly value: number }
  | Stored;

/** A value that stands elsewhere: the field or vector that has it holds the distance to it. */
type Stored =
  | { readonly kind: 'table'; readonly fields: readonly (Value | undefined)[] }
  | { readonly kind: 'vector'; readonly items: readonly Value[] }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

export const int = (value: number): Value => ({ kind: 'int', value });
export const float = (value: number): Value => ({ kind: 'float', value });
export const ints = (values: readonly number[]): Value => vector(values.map(int));
/** The fields in the order of their ids; undefined: the field has its default. */
export const tableOfFields = (...fields: readonly (Value | undefined)[]): Stored => ({
  kind: 'table',
  fields,
});
export const vector = (items: readonly Value[]): Stored => ({ kind: 'vector', items });
export const bytes = (from: Float32Array): Stored => ({
  kind: 'bytes',
  bytes: new Uint8Array(from.buffer, from.byteOffset, from.byteLength),
});

/** Every number and distance takes so many bytes: a reader of a smaller number reads its first, lowest bytes. */
const WORD = 4;
/** The numbers of tensors begin at a multiple of this. */
const DATA_ALIGNMENT = 16;

/** `identifier`: four letters that say what the file is. */
export function writeFlatBuffer(root: Stored, identifier: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let end = 0;
  const append = (part: Uint8Array): void => {
    parts.push(part);
    end += part.length;
  };
  /** Fills up so that what follows after `ahead` bytes begins at a multiple of `alignment`. */
  const align = (alignment: number, ahead = 0): void => {
    append(new Uint8Array((alignment - ((end + ahead) % alignment)) % alignment));
  };
  /** Writes these values, then what they point to. Returns where the first of them stands. */
  const appendValues = (values: readonly Value[]): number => {
    const from = end;
    const words = Buffer.alloc(values.length * WORD);
    append(words);
    for (const [index, value] of values.entries()) {
      const at = index * WORD;
      if (value.kind === 'int') words.writeInt32LE(value.value, at);
      else if (value.kind === 'float') words.writeFloatLE(value.value, at);
      else words.writeUInt32LE(store(value) - (from + at), at);
    }
    return from;
  };
  const storeTable = (fields: readonly (Value | undefined)[]): number => {
    const present = fields.filter((field) => field !== undefined);
    const about = Buffer.alloc((2 + fields.length) * 2);
    about.writeUInt16LE(about.length, 0);
    about.writeUInt16LE((1 + present.length) * WORD, 2);
    let next = WORD;
    for (const [id, field] of fields.entries()) {
      if (field === undefined) continue;
      about.writeUInt16LE(next, (2 + id) * 2);
      next += WORD;
    }
    align(WORD);
    const aboutAt = end;
    append(about);
    align(WORD);
    const at = end;
    // The table begins with the distance back to its description.
    appendValues([int(at - aboutAt), ...present]);
    return at;
  };
  const store = (stored: Stored): number => {
    if (stored.kind === 'table') return storeTable(stored.fields);
    const length = Buffer.alloc(WORD);
    if (stored.kind === 'vector') {
      length.writeUInt32LE(stored.items.length);
      align(WORD);
      const at = end;
      append(length);
      appendValues(stored.items);
      return at;
    }
    length.writeUInt32LE(stored.bytes.length);
    align(DATA_ALIGNMENT, WORD);
    const at = end;
    append(length);
    append(stored.bytes);
    return at;
  };

  const head = Buffer.alloc(2 * WORD);
  head.write(identifier, WORD, 'latin1');
  append(head);
  head.writeUInt32LE(store(root));
  return Buffer.concat(parts);
}
