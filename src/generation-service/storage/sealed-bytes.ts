import { type Cipher, noCipher } from './cipher.ts';

/** Neither a PNG nor an MP4 begins like this. */
const mark = Buffer.from('sealed ');

export const sealBytes = (cipher: Cipher, bytes: Uint8Array): Uint8Array =>
  cipher === noCipher
    ? bytes
    : Buffer.concat([mark, Buffer.from(cipher.seal(Buffer.from(bytes).toString('base64')))]);

export const openBytes = (cipher: Cipher, stored: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(stored);
  if (!bytes.subarray(0, mark.length).equals(mark)) return stored;
  return Buffer.from(cipher.open(bytes.subarray(mark.length).toString()), 'base64');
};
