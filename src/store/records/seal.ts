import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey } from 'node:crypto';
import { takeRandomBytes } from '../../base/random-id.ts';

const ESCAPED = 'json:';

/** An id as a column of text can hold it: PostgreSQL takes no zero bytes and no half characters, which people can send. */
export const storable = (id: string): string =>
  id.isWellFormed() && !id.includes('\0') && !id.startsWith(ESCAPED) ? id : `${ESCAPED}${JSON.stringify(id)}`;

/** The id that `storable` was given. */
export const original = (column: string): string =>
  column.startsWith(ESCAPED) ? String(JSON.parse(column.slice(ESCAPED.length))) : column;

/** Encryption at rest; without a key, the text as bytes. `purpose` is authenticated: a ciphertext cannot be moved to another table. */
export interface Seal {
  readonly encrypts: boolean;
  /** The id of the encrypting key, as ciphertexts contain it. */
  readonly currentKey?: Uint8Array;
  /** The ids of all keys in hexadecimal, the encrypting one first. */
  readonly keyIds: readonly string[];
  seal(text: string, purpose: string): Uint8Array;
  open(sealed: unknown, purpose: string): string;
  isCurrent(sealed: Uint8Array): boolean;
}

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

/** Whether these bytes, or what they begin with, are an encrypted record. A plain one is JSON, which begins otherwise. */
export const hasSeal = (bytes: unknown): boolean =>
  bytes instanceof Uint8Array && bytes.length >= HEADER_BYTES && bytes[0] === VERSION;

const decoder = new TextDecoder('utf-8', { fatal: true });

const plain: Seal = {
  encrypts: false,
  keyIds: [],
  seal: (text) => Buffer.from(text),
  open(sealed) {
    if (!(sealed instanceof Uint8Array)) throw new Error('The record is missing.');
    return decoder.decode(sealed);
  },
  isCurrent: () => true,
};

/** The first key encrypts, all decrypt: a key can be replaced without rewriting the file at once. */
export function createSeal(keys: readonly Uint8Array[]): Seal {
  // Key objects: importing raw bytes each time costs three times as much as encrypting a record.
  const ring = keys.map((key) => ({
    key: createSecretKey(key),
    id: createHash('sha256').update('key id').update(key).digest().subarray(0, KEY_ID_BYTES),
  }));
  const [current] = ring;
  if (current === undefined) return plain;
  return {
    encrypts: true,
    currentKey: current.id,
    keyIds: ring.map(({ id }) => id.toString('hex')),
    seal(text, purpose) {
      const nonce = takeRandomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(purpose));
      const body = cipher.update(text, 'utf8');
      cipher.final();
      return Buffer.concat([Buffer.of(VERSION), current.id, nonce, cipher.getAuthTag(), body]);
    },
    isCurrent: (sealed) => current.id.equals(sealed.subarray(1, 1 + KEY_ID_BYTES)),
    open(sealed, purpose) {
      if (!(sealed instanceof Uint8Array) || sealed.length < HEADER_BYTES || sealed[0] !== VERSION)
        throw new Error('The record is not encrypted as expected.');
      const data = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const id = data.subarray(1, 1 + KEY_ID_BYTES);
      const nonce = data.subarray(1 + KEY_ID_BYTES, HEADER_BYTES - TAG_BYTES);
      const tag = data.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES);
      const holder = ring.find((candidate) => candidate.id.equals(id));
      if (holder === undefined) throw new Error('The record was encrypted with another key.');
      try {
        const decipher = createDecipheriv('aes-256-gcm', holder.key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
        // As bytes: with an encoding the cipher makes a decoder of characters for each record.
        const body = decipher.update(data.subarray(HEADER_BYTES));
        decipher.final();
        return body.toString('utf8');
      } catch {
        throw new Error('The record has been altered or was encrypted with another key.');
      }
    },
  };
}

/** Refuses a record that is too long: it would be taken for damaged when it is read. */
export function refuseTooLongRecord(sealed: Uint8Array, most: number): Uint8Array {
  if (sealed.length <= most) return sealed;
  throw new RangeError(`A record of ${sealed.length} bytes is too long to be stored.`);
}

/** Opens a sealed record; undefined: it is damaged, which does not stop the others. */
export function openedOf(seal: Seal, sealed: unknown, purpose: string): string | undefined {
  try {
    return seal.open(sealed, purpose);
  } catch {
    return undefined;
  }
}

/** The keyed hash of ids in columns, because encrypted ids could not be looked up. Without a secret, the ids themselves. */
export function createBlind(secret: Uint8Array | undefined): (id: string) => string {
  if (secret === undefined) return storable;
  const key = createSecretKey(secret);
  return (id) => createHmac('sha256', key).update(id).digest('base64url').slice(0, 32);
}
