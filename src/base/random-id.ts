import { randomFillSync } from 'node:crypto';

/** Random bytes for many ids at once, because asking the system for each takes 0.1 ms. */
const random = Buffer.alloc(4_096);
let used = random.length;

/** So many random bytes, up to 4,096, which no other caller gets. They are valid until the next call. */
export function takeRandomBytes(bytes: number): Buffer {
  if (used + bytes > random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += bytes;
  return random.subarray(used - bytes, used);
}

/** A random id with four characters for each three bytes. */
export const randomId = (bytes: number): string => takeRandomBytes(bytes).toString('base64url');
