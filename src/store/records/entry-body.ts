import { z } from 'zod';
import type { Seal, Sealed } from './seal/seal.ts';
import type { RecordRules } from './store.ts';

/** The records of a namespace, as they are stored: the key, which may name people, is sealed with its value. */
export interface EntryBodies {
  /** `value`: as JSON, in an object. */
  seal(key: string, value: string): Sealed;
  /** `value` is null when it is longer than `LONGEST_VALUE`. Throws when it is damaged. */
  open(row: Readonly<Record<string, unknown>>): readonly [key: string, value: string];
  /** The key of a record; undefined: it is damaged. */
  idOf(row: Readonly<Record<string, unknown>>): string | undefined;
  /** The person whose it is, as the columns have them. */
  ownerOf(key: string, value: unknown): string | undefined;
}

/** The playground stores results in pieces of 1 MB. */
export const LONGEST_VALUE = 16 * 1024 * 1024;

const record = z.tuple([z.string(), z.string()]);
const envelope = z.looseObject({ value: z.unknown() });

export const valueIn = (text: string): unknown => envelope.parse(JSON.parse(text)).value;

export function createEntryBodies(
  namespace: string,
  { ownerOf, isValid }: RecordRules,
  seal: Seal,
  blind: (id: string) => string,
): EntryBodies {
  const open: EntryBodies['open'] = (row) => {
    if (row.value === null && Number(row.length) > LONGEST_VALUE)
      throw new Error(`it is ${row.length} bytes long`);
    const [key, text] = record.parse(JSON.parse(seal.open(row.value, namespace)));
    if (blind(key) !== row.key) throw new Error('it belongs to another key');
    if (isValid?.(key, valueIn(text)) === false) throw new Error('it has not the shape of such a record');
    return [key, text];
  };
  return {
    seal: (key, value) => seal.seal(JSON.stringify([key, value]), namespace),
    open,
    idOf(row) {
      try {
        return open(row)[0];
      } catch {
        return undefined;
      }
    },
    ownerOf(key, value) {
      const person = ownerOf?.(key, value);
      return person === undefined ? undefined : blind(person);
    },
  };
}
