import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Records } from '../base/keyv/records.ts';

const NAME_BYTES = 16;
const SIGNED_BYTES = 32;

/** Issues random names with a signature (HMAC), so that they need not be stored. `key`: the record of the secret. */
export function createSignedNames(state: Records, key: string) {
  let secret = randomBytes(32);
  const signatureOf = (name: Buffer): Buffer =>
    createHmac('sha256', secret)
      .update(name)
      .digest()
      .subarray(0, SIGNED_BYTES - NAME_BYTES);
  return {
    /** Loads the secret, or stores a new one. */
    async load(): Promise<void> {
      const own = secret.toString('base64url');
      // Processes that start at the same time all use the secret that was stored first.
      const kept = await state.update<unknown>(key, (there) => (typeof there === 'string' ? undefined : own));
      secret = Buffer.from(String(kept), 'base64url');
    },
    /** Makes a name for a text: always the same one, which nobody can make without the secret. */
    nameFor: (text: string): string => signatureOf(Buffer.from(text)).toString('base64url'),
    /** Makes a new random name. */
    issue(): string {
      const name = randomBytes(NAME_BYTES);
      return Buffer.concat([name, signatureOf(name)]).toString('base64url');
    },
    /** Whether `issue` has made this name. */
    isIssued(name: string): boolean {
      const bytes = Buffer.from(name, 'base64url');
      return (
        bytes.byteLength === SIGNED_BYTES &&
        // This refuses other base64 spellings of the same bytes.
        bytes.toString('base64url') === name &&
        timingSafeEqual(bytes.subarray(NAME_BYTES), signatureOf(bytes.subarray(0, NAME_BYTES)))
      );
    },
  };
}
