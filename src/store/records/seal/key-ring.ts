import { StoreKeyError } from '../store-error.ts';
import { type Seal, SealError, type Sealed } from './seal.ts';

export const BLINDING = 'blinding';

const isKeyId = /^[0-9a-f]{8}$/;

/** The ids of keys that records may be encrypted with: a key that was removed too early is noticed at the start. */
export function usedKeys(stored: string | undefined, { keyIds }: Seal): readonly string[] {
  // A damaged list must not prevent the start: a record that no key opens is set aside when it is read.
  const ids = stored?.split(',').filter((id) => isKeyId.test(id)) ?? [];
  return ids.length > 0 ? ids : keyIds;
}

/** The list with the current key added. */
export const withCurrentKey = (stored: string | undefined, seal: Seal): string =>
  [...new Set([...seal.keyIds.slice(0, 1), ...usedKeys(stored, seal)])].join(',');

/** The secret of the id hash. `keys`: the list of used keys. Throws when the given keys do not fit. */
export function openSecret(stored: Uint8Array, keys: string | undefined, seal: Seal): string {
  if (!seal.encrypts) {
    throw new StoreKeyError('The store is encrypted: set STORE_KEY to the key it was created with.');
  }
  let secret: string;
  try {
    secret = seal.open(stored, BLINDING);
  } catch {
    throw new StoreKeyError('STORE_KEY is not the key that this store was encrypted with.');
  }
  if (usedKeys(keys, seal).every((id) => seal.keyIds.includes(id))) return secret;
  throw new StoreKeyError(
    'Some records are still encrypted with a key that STORE_KEY no longer has. Start with STORE_KEY=new,old once more until they are re-encrypted, which takes a minute or two.',
  );
}

/** A damaged record is left as it is and does not stop the others. */
export function openedOf(seal: Seal, sealed: unknown, purpose: string): string | undefined {
  try {
    return seal.open(sealed, purpose);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** What it is with the current key; undefined: no key opens it. */
export function resealed(seal: Seal, sealed: unknown, purposes: readonly string[]): Sealed | undefined {
  for (const purpose of purposes) {
    const text = openedOf(seal, sealed, purpose);
    if (text !== undefined) return seal.seal(text, purpose);
  }
  return undefined;
}
