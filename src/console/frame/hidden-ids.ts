import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MOST_LETTERS = 2_000;

/**
 * Encrypts people, communities and typed text in URLs, because proxies write URLs into their logs. Equal ids give
 * the same text. `secretFor`: makes a secret of 16 bytes in base64url for each purpose.
 */
export function createHiddenIds(secretFor: (purpose: string) => string) {
  const bytesFor = (purpose: string): Buffer =>
    Buffer.from(secretFor(purpose), 'base64url').subarray(0, KEY_BYTES);
  const key = bytesFor('hidden ids');
  const nonceKey = bytesFor('nonces of hidden ids');
  return {
    hide(id: string): string {
      // The nonce is derived from the id, so that each id has its own, and its URL stays the same.
      const nonce = createHmac('sha256', nonceKey).update(id).digest().subarray(0, NONCE_BYTES);
      const cipher = createCipheriv('aes-128-gcm', key, nonce);
      const body = Buffer.concat([cipher.update(id, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    /** Decrypts an id; undefined if the text was not made by `hide`. */
    find(hidden: string): string | undefined {
      if (hidden.length > MOST_LETTERS || !/^[\w-]+$/.test(hidden)) return undefined;
      const bytes = Buffer.from(hidden, 'base64url');
      if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
      try {
        const decipher = createDecipheriv('aes-128-gcm', key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8');
        return text + decipher.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

export type HiddenIds = ReturnType<typeof createHiddenIds>;
