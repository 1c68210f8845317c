import { createHash } from 'node:crypto';
import type { CopiedRow } from './copy.ts';

export interface Sum {
  readonly records: number;
  /** The same for any order of the records: stores sort texts differently. */
  readonly checksum: string;
}

const BITS = 256;

/** The number of records and the checksum of a whole table. */
export async function sumUp(rows: AsyncIterable<CopiedRow> | Iterable<CopiedRow>): Promise<Sum> {
  let records = 0;
  let total = 0n;
  for await (const row of rows) {
    records += 1;
    total = BigInt.asUintN(BITS, total + BigInt(`0x${digestOf(row)}`));
  }
  return { records, checksum: total.toString(16).padStart(BITS / 4, '0') };
}

/** A half character cannot be stored in SQLite, which writes U+FFFD instead. */
function digestOf(row: CopiedRow): string {
  const values = row.map((value) => {
    if (value instanceof Uint8Array) return { bytes: createHash('sha256').update(value).digest('hex') };
    return typeof value === 'string' ? value.toWellFormed() : value;
  });
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
