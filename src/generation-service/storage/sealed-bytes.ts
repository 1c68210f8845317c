import { type Cipher, noCipher } from './cipher.ts';

/** Neither a PNG nor an MP4 starts with this. */
const prefix = Buffer.from('sealed ');

export function sealBytes(cipher: Cipher, bytes: Uint8Array): Uint8Array {
  return cipher === noCipher
    ? bytes
    : Buffer.concat([prefix, Buffer.from(cipher.seal(Buffer.from(bytes).toString('base64')))]);
}

export function openBytes(cipher: Cipher, stored: Uint8Array): Uint8Array {
  const bytes = Buffer.from(stored);
  if (!bytes.subarray(0, prefix.length).equals(prefix)) return stored;
  return Buffer.from(cipher.open(bytes.subarray(prefix.length).toString()), 'base64');
}
