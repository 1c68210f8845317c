import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { defined } from '../../base/defined.ts';
import type { Media } from '../../command/view.ts';
import { textOfHash } from './perceptual-hash.ts';
import type { PictureHasher } from './picture-hasher.ts';

export type HashResult = ReturnType<typeof createHashResult>;

/** Takes about a millisecond. */
const BYTES_AT_ONCE = 1024 * 1024;

async function sha256(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.byteLength; at += BYTES_AT_ONCE) {
    hash.update(bytes.subarray(at, at + BYTES_AT_ONCE));
    // A video has up to 50 MB.
    if (at + BYTES_AT_ONCE < bytes.byteLength) await setImmediate();
  }
  return hash.digest('base64url');
}

/** What is stored of a result, so that it can be found by its file or by a copy of the picture. A link has no file. Never rejects. */
export function createHashResult(hasher: Pick<PictureHasher, 'hashes'>) {
  return async (media: Media, person: string) => {
    if (media.kind === 'link') return undefined;
    const file = await sha256(media.bytes);
    if (media.kind === 'video') return { file };
    // A picture that cannot be hashed is shown all the same, and can be found by its file.
    const picture = await hasher.hashes(media.bytes, person).then(
      ({ hash }) => textOfHash(hash),
      () => undefined,
    );
    return { file, ...defined({ picture }) };
  };
}
