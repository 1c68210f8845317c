import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
} from 'node:crypto';

/** What is written to the file: plain text without a key, an authenticated ciphertext with one. */
export type Sealed = string | Uint8Array;

/** Keeps everything personal unreadable at rest. `purpose` ties a ciphertext to where it belongs. */
export interface Seal {
  readonly encrypts: boolean;
  /** The id of the key that seals now, as it stands in what it sealed. */
  readonly currentKey?: Uint8Array;
  /** The ids of all keys at hand in hexadecimal, the one that seals first. */
  readonly keyIds: readonly string[];
  seal(text: string, purpose: string): Sealed;
  open(sealed: unknown, purpose: string): string;
  /** Whether it would be sealed with the same key today. */
  isCurrent(sealed: Sealed): boolean;
}

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

/** Thrown when no key at hand opens what is stored. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

const keyId = (key: Uint8Array): Buffer =>
  createHash('sha256').update('key id').update(key).digest().subarray(0, KEY_ID_BYTES);

const plain: Seal = {
  encrypts: false,
  keyIds: [],
  seal: (text) => text,
  open(sealed) {
    if (typeof sealed === 'string') return sealed;
    throw new SealError('The record is encrypted and no key was given.');
  },
  isCurrent: (sealed) => typeof sealed === 'string',
};

/** The first key encrypts; all of them decrypt, so that a key can be replaced without rewriting the file. */
export function createSeal(keys: readonly Uint8Array[]): Seal {
  const [current] = keys;
  if (current === undefined) return plain;
  // As key objects: made from bytes anew, the key costs three times what encrypting a record does.
  const ring = keys.map((key) => ({ key: createSecretKey(key), id: keyId(key) }));
  const currentKey = createSecretKey(current);
  const currentId = keyId(current);
  return {
    encrypts: true,
    currentKey: currentId,
    keyIds: ring.map(({ id }) => id.toString('hex')),
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce).setAAD(Buffer.from(purpose));
      const body = cipher.update(text, 'utf8');
      cipher.final();
      return Buffer.concat([Buffer.of(VERSION), currentId, nonce, cipher.getAuthTag(), body]);
    },
    isCurrent: (sealed) =>
      sealed instanceof Uint8Array && currentId.equals(sealed.subarray(1, 1 + KEY_ID_BYTES)),
    open(sealed, purpose) {
      if (!(sealed instanceof Uint8Array) || sealed.length < HEADER_BYTES || sealed[0] !== VERSION) {
        throw new SealError('The record is not encrypted as expected.');
      }
      const data = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const id = data.subarray(1, 1 + KEY_ID_BYTES);
      const nonce = data.subarray(1 + KEY_ID_BYTES, HEADER_BYTES - TAG_BYTES);
      const tag = data.subarray(HEADER_BYTES - TAG_BYTES, HEADER_BYTES);
      const holder = ring.find((candidate) => candidate.id.equals(id));
      if (holder === undefined) throw new SealError('The record was encrypted with another key.');
      try {
        const decipher = createDecipheriv('aes-256-gcm', holder.key, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
        const text = decipher.update(data.subarray(HEADER_BYTES), undefined, 'utf8');
        return text + decipher.final('utf8');
      } catch {
        throw new SealError('The record has been altered or was encrypted with another key.');
      }
    },
  };
}

/**
 * Ids are looked up by, so they cannot be sealed; with encryption on they are written as a keyed hash, which
 * nobody can compute (or try out) without the key.
 */
export function createBlind(secret: Uint8Array | undefined): (id: string) => string {
  if (secret === undefined) return (id) => id;
  const key = createSecretKey(secret);
  return (id) => createHmac('sha256', key).update(id).digest('base64url').slice(0, 32);
}
