import { createHash } from 'node:crypto';
import { cleanPhoto, PhotoRejected } from '../../media/photo.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { PictureRefused } from '../../picture/structure.ts';
import { HASH_TEXT_SHAPE, textOfHash } from '../../safety/hash/perceptual-hash.ts';
import type { PictureHasher } from '../../safety/hash/picture-hasher.ts';
import type { PictureFingerprints } from '../../safety/requests/request-records.ts';

/** Large enough for the hash, which is made of 64 by 64 pixels. */
const SIDE = 1_024;

/**
 * Makes that by which a picture is compared with results: undefined if it is no photo that can be read. `turn` takes its turns at the
 * decoder like one person.
 */
export function createFingerprint(hasher: Pick<PictureHasher, 'hashes'>, decoder: Decoder) {
  return async (
    bytes: Uint8Array,
    turn: string,
    signal?: AbortSignal,
  ): Promise<PictureFingerprints | undefined> => {
    const file = createHash('sha256').update(bytes).digest('base64url');
    try {
      const clean = await cleanPhoto(bytes, decoder, turn, signal, { longestSide: SIDE });
      const { hash, mirrored, isFlat } = await hasher.hashes(clean.bytes, turn, signal);
      return isFlat ? { file } : { file, hashes: [textOfHash(hash), textOfHash(mirrored)] };
    } catch (error) {
      if (error instanceof PhotoRejected || error instanceof PictureRefused) return undefined;
      throw error;
    }
  };
}

/** A fingerprint as a text, for the address of a page. */
export const textOfFingerprints = ({ file, hashes = ['', ''] }: PictureFingerprints): string =>
  [file, ...hashes].join(' ');

/** The fingerprints in a text that `textOfFingerprints` made; undefined: there is none. */
export function fingerprintsOfText(text: string): PictureFingerprints | undefined {
  const [file = '', hash = '', mirrored = ''] = text.split(' ');
  if (!HASH_TEXT_SHAPE.test(file)) return undefined;
  if (!HASH_TEXT_SHAPE.test(hash) || !HASH_TEXT_SHAPE.test(mirrored)) return { file };
  return { file, hashes: [hash, mirrored] };
}
