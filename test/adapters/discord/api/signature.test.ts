import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { ageOf, createVerifier, readSignature } from '../../../../src/adapters/discord/api/signature.ts';

const keyPair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const hex = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
  return { hex, sign: (text: string) => sign(null, Buffer.from(text), privateKey) };
};
const body = Buffer.from('{"type":1,"é":"☃"}');
const timestamp = '1767614400';

test('accepts what the application’s key signed, with the key in either case', () => {
  const { hex, ...key } = keyPair();
  const signature = { bytes: key.sign(`${timestamp}${body}`), timestamp };
  expect(createVerifier(hex)(signature, body)).toBe(true);
  expect(createVerifier(hex.toUpperCase())(signature, body)).toBe(true);
});

test('refuses another key, another body, another time and a changed signature', () => {
  const { hex, ...key } = keyPair();
  const verify = createVerifier(hex);
  const bytes = key.sign(`${timestamp}${body}`);
  expect(createVerifier(keyPair().hex)({ bytes, timestamp }, body)).toBe(false);
  expect(verify({ bytes, timestamp }, Buffer.concat([body, Buffer.from(' ')]))).toBe(false);
  expect(verify({ bytes, timestamp: '1767614401' }, body)).toBe(false);
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(verify({ bytes: changed, timestamp }, body)).toBe(false);
  }
});

test.each([
  ['no signature', undefined, timestamp],
  ['no timestamp', 'ab'.repeat(64), undefined],
  ['a short signature', 'ab'.repeat(63), timestamp],
  ['a long signature', 'ab'.repeat(65), timestamp],
  ['a signature that is not hexadecimal', 'xy'.repeat(64), timestamp],
  ['an empty timestamp', 'ab'.repeat(64), ''],
  ['a timestamp that is no number', 'ab'.repeat(64), '1e9'],
  ['a negative timestamp', 'ab'.repeat(64), '-1'],
  ['an endless timestamp', 'ab'.repeat(64), '9'.repeat(50)],
])('headers are malformed: %s', (_, signature, time) => {
  const headers = new Headers();
  if (signature !== undefined) headers.set('x-signature-ed25519', signature);
  if (time !== undefined) headers.set('x-signature-timestamp', time);
  expect(readSignature(headers)).toBeUndefined();
});

test('the age is counted in milliseconds, negative when Discord’s clock is ahead', () => {
  const signature = { bytes: Buffer.alloc(64), timestamp };
  expect(ageOf(signature, 1_767_614_400_000 + 1_500)).toBe(1_500);
  expect(ageOf(signature, 1_767_614_400_000 - 2_000)).toBe(-2_000);
});
