import { setImmediate } from 'node:timers/promises';
import type { Area } from '../../base/area.ts';
import { defined } from '../../base/defined.ts';
import { bordersOf } from '../../picture/borders.ts';
import type { Decoder } from '../../picture/decoder.ts';
import { COMMON_CROPS, greyWithin } from './crops.ts';
import { HASH_SIDE, type PerceptualHash, type PictureHashes, perceptualHashes } from './perceptual-hash.ts';

export type PictureHasher = ReturnType<typeof createPictureHasher>;

/** Of results of the service, the largest pictures that there are. */
const MOST_PIXELS = 100_000_000;
/** Large enough for crops, and still cheap to go through. */
const CROPPED_SIDE = 256;

/** Hashes pictures. They are decoded in the decoder's processes, in its turns; here remains a tenth of a millisecond for each hash. */
export function createPictureHasher(decoder: Pick<Decoder, 'convert'>) {
  const grey = (bytes: Uint8Array, side: number, person: string, signal?: AbortSignal, part?: Area) =>
    decoder.convert(
      bytes,
      { maxPixels: MOST_PIXELS, failOn: 'error', to: { format: 'grey', side }, ...defined({ part }) },
      person,
      signal,
    );
  return {
    /** `part`: only this part of the upright picture. Rejects like the decoder. */
    async hashes(
      bytes: Uint8Array,
      person: string,
      signal?: AbortSignal,
      part?: Area,
    ): Promise<PictureHashes> {
      const small = await grey(bytes, HASH_SIDE, person, signal, part);
      const whole = perceptualHashes(small);
      if (bordersOf(small, HASH_SIDE) === undefined) return whole;
      // Where the borders end is seen exactly enough in the larger copy alone.
      const large = await grey(bytes, CROPPED_SIDE, person, signal, part);
      const borders = bordersOf(large, CROPPED_SIDE);
      const inner = borders && perceptualHashes(greyWithin(large, CROPPED_SIDE, borders));
      return inner === undefined || inner.isFlat ? whole : { ...whole, within: inner };
    },
    /** The hashes of cropped copies, which would not be recognised by that of the whole picture. */
    async cropHashes(
      bytes: Uint8Array,
      person: string,
      signal?: AbortSignal,
    ): Promise<readonly PerceptualHash[]> {
      const large = await grey(bytes, CROPPED_SIDE, person, signal);
      const hashes: PerceptualHash[] = [];
      for (const margins of COMMON_CROPS) {
        hashes.push(perceptualHashes(greyWithin(large, CROPPED_SIDE, margins)).hash);
        // Nobody's answer waits for all of them.
        await setImmediate();
      }
      return hashes;
    },
  };
}
