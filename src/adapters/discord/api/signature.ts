import { createPublicKey, verify } from 'node:crypto';

/** Clocks differ a little; an older request may be a recorded one that is sent again. */
export const SIGNATURE_LIFE_MS = 5 * 60_000;

const SIGNATURE = /^[0-9a-f]{128}$/i;
const SECONDS = /^\d{1,11}$/;

export interface Signature {
  readonly bytes: Buffer;
  /** As it was sent: it is part of what is signed. */
  readonly timestamp: string;
}

/** Undefined: a header is missing or malformed. */
export function readSignature(headers: Headers): Signature | undefined {
  const signature = headers.get('x-signature-ed25519') ?? '';
  const timestamp = headers.get('x-signature-timestamp') ?? '';
  if (!SIGNATURE.test(signature) || !SECONDS.test(timestamp)) return undefined;
  return { bytes: Buffer.from(signature, 'hex'), timestamp };
}

/** How long ago it was signed; negative: by a clock that is ahead of ours. */
export function ageOf({ timestamp }: Signature, now: number): number {
  return now - Number(timestamp) * 1_000;
}

/** `publicKey`: 64 hexadecimal digits. */
export function createVerifier(publicKey: string): (signature: Signature, body: Buffer) => boolean {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return ({ bytes, timestamp }, body) =>
    verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, bytes);
}
