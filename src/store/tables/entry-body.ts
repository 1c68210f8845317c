import { z } from 'zod';
import type { ReadBase, Row } from './driver.ts';

/** What the store must know about the records of a namespace. */
export interface RecordRules {
  /** The person (`personKey`) with whose data it is deleted. */
  ownerOf?(key: string, value: unknown): string | undefined;
  /** An invalid record is set aside. */
  isValid?(key: string, value: unknown): boolean;
  /** Replaces a record that was set aside; undefined: nothing does. */
  insteadOf?(key: string): unknown;
}

/** The playground stores results in pieces of 1 MB. */
export const LONGEST_VALUE = 16 * 1024 * 1024;

const record = z.tuple([z.string(), z.string()]);
const envelope = z.looseObject({ value: z.unknown() });

/** The records of a namespace, as they are stored: the key, which may name people, is sealed with its value. */
export function createEntryBodies(
  namespace: string,
  { ownerOf, isValid }: RecordRules,
  { seal, blind }: Pick<ReadBase, 'seal' | 'blind'>,
) {
  return {
    /** `value`: as JSON, in an object. */
    seal: (key: string, value: string) => seal.seal(JSON.stringify([key, value]), namespace),
    /** `value` is null when it is longer than `LONGEST_VALUE`. Throws when it is damaged. */
    open(row: Row): readonly [key: string, value: unknown] {
      if (row.value === null && Number(row.length) > LONGEST_VALUE)
        throw new Error(`it is ${row.length} bytes long`);
      const [key, text] = record.parse(JSON.parse(seal.open(row.value, namespace)));
      if (blind(key) !== row.key) throw new Error('it belongs to another key');
      const { value } = envelope.parse(JSON.parse(text));
      if (isValid?.(key, value) === false) throw new Error('it has not the shape of such a record');
      return [key, value];
    },
    /** The person whose it is, as the columns have them. */
    ownerOf(key: string, value: unknown): string | undefined {
      const person = ownerOf?.(key, value);
      return person === undefined ? undefined : blind(person);
    },
  };
}
