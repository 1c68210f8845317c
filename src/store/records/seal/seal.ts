import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  randomBytes,
} from 'node:crypto';

/** Plain text without a key, authenticated ciphertext with one. */
export type Sealed = string | Uint8Array;

/** Encryption at rest. `purpose` is authenticated: a ciphertext cannot be moved to another table. */
export interface Seal {
  readonly encrypts: boolean;
  /** The id of the encrypting key, as ciphertexts contain it. */
  readonly currentKey?: Uint8Array;
  /** The ids of all keys in hexadecimal, the encrypting one first. */
  readonly keyIds: readonly string[];
  seal(text: string, purpose: string): Sealed;
  open(sealed: unknown, purpose: string): string;
  /** Whether it is encrypted with the current key. */
  isCurrent(sealed: Sealed): boolean;
}

const version = 1;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + keyIdBytes + nonceBytes + tagBytes;

/** None of the keys opens the record. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

const keyId = (key: Uint8Array): Buffer =>
  createHash('sha256').update('key id').update(key).digest().subarray(0, keyIdBytes);

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

/** The first key encrypts, all decrypt: a key can be replaced without rewriting the file at once. */
export function createSeal(keys: readonly Uint8Array[]): Seal {
  const [current] = keys;
  if (current === undefined) return plain;
  // Key objects: importing raw bytes each time costs three times as much as encrypting a record.
  const ring = keys.map((key) => ({ key: createSecretKey(key), id: keyId(key) }));
  const currentKey = createSecretKey(current);
  const currentId = keyId(current);
  return {
    encrypts: true,
    currentKey: currentId,
    keyIds: ring.map(({ id }) => id.toString('hex')),
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', currentKey, nonce).setAAD(Buffer.from(purpose));
      const body = cipher.update(text, 'utf8');
      cipher.final();
      return Buffer.concat([Buffer.of(version), currentId, nonce, cipher.getAuthTag(), body]);
    },
    isCurrent: (sealed) =>
      sealed instanceof Uint8Array && currentId.equals(sealed.subarray(1, 1 + keyIdBytes)),
    open(sealed, purpose) {
      if (!(sealed instanceof Uint8Array) || sealed.length < headerBytes || sealed[0] !== version) {
        throw new SealError('The record is not encrypted as expected.');
      }
      const data = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
      const id = data.subarray(1, 1 + keyIdBytes);
      const nonce = data.subarray(1 + keyIdBytes, headerBytes - tagBytes);
      const tag = data.subarray(headerBytes - tagBytes, headerBytes);
      const holder = ring.find((candidate) => candidate.id.equals(id));
      if (holder === undefined) throw new SealError('The record was encrypted with another key.');
      try {
        const decipher = createDecipheriv('aes-256-gcm', holder.key, nonce, { authTagLength: tagBytes });
        decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
        const text = decipher.update(data.subarray(headerBytes), undefined, 'utf8');
        return text + decipher.final('utf8');
      } catch {
        throw new SealError('The record has been altered or was encrypted with another key.');
      }
    },
  };
}

/** A blind index: encrypted ids could not be looked up, so a keyed hash is stored, which cannot be computed without the key. */
export function createBlind(secret: Uint8Array | undefined): (id: string) => string {
  // SQLite stores half characters as this one.
  if (secret === undefined) return (id) => id.toWellFormed();
  const key = createSecretKey(secret);
  return (id) => createHmac('sha256', key).update(id).digest('base64url').slice(0, 32);
}
