import { createBlind, type Seal, SealError } from './seal.ts';

const ESCAPED = 'json:';

/** `text` takes no zero bytes and no half characters, and both can stand in what people send. */
export const storable = (id: string): string =>
  id.isWellFormed() && !id.includes('\0') && !id.startsWith(ESCAPED) ? id : `${ESCAPED}${JSON.stringify(id)}`;

/** What `storable` was given. */
export const original = (column: string): string =>
  column.startsWith(ESCAPED) ? String(JSON.parse(column.slice(ESCAPED.length))) : column;

/** The same of a column that may not have been written by this program. */
export function originalOf(column: string): string {
  try {
    return original(column);
  } catch {
    return column;
  }
}

/** The hash of ids in columns; without a secret, the ids themselves. */
export const createColumnBlind = (secret: Uint8Array | undefined): ((id: string) => string) =>
  secret === undefined ? storable : createBlind(secret);

/** Sealed columns are bytes, with a key and without. */
export function createByteSeal(seal: Seal): Seal {
  if (seal.encrypts) return seal;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return {
    ...seal,
    seal: (text) => Buffer.from(text),
    open(sealed) {
      if (!(sealed instanceof Uint8Array)) throw new SealError('The record is missing.');
      try {
        return decoder.decode(sealed);
      } catch {
        throw new SealError('The record is no text.');
      }
    },
    isCurrent: () => true,
  };
}
