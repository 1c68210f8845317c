import type { FairBudget, Held } from '../../base/limits/fair-budget.ts';
import { photosOf } from '../../command/kinds.ts';
import type { PhotoRef } from '../../command/photo.ts';
import { turnKey } from '../../command/place.ts';
import type { ImageInput } from '../../generation-client/wire/inputs.ts';
import type { Job } from '../job/job.ts';
import type { JobPorts } from '../steps/effects.ts';

export type PhotosInMemory = ReturnType<typeof createPhotosInMemory>;

/** What a platform's largest photo takes before it is cleaned. */
const LARGEST_BYTES = 20 * 1024 * 1024;
const NOTHING = new Uint8Array(0);

/** The photos of one submission while they are in memory. */
export function createPhotosInMemory(budget: FairBudget, job: Job, photo: JobPorts['photo']) {
  const images: { bytes: Uint8Array }[] = [];
  let toCome = photosOf(job.request).filter(({ from }) => from !== 'link').length;
  let held: Held | undefined;
  let isOver = false;

  const cleanBytes = (): number => images.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  /** Reserves for all photos at once: two jobs that each hold one and wait for another would deadlock. */
  const reserve =
    (signal: AbortSignal) =>
    async (bytes: number): Promise<void> => {
      if (held !== undefined) return;
      const taken = await budget.take(turnKey(job.caller), bytes + (toCome - 1) * LARGEST_BYTES, signal);
      if (isOver) taken.release();
      else held = taken;
    };

  return {
    async fetch(ref: PhotoRef, signal: AbortSignal): Promise<ImageInput> {
      const got = await photo(ref, job, signal, reserve(signal));
      if ('url' in got) return got;
      const image = { ...got };
      images.push(image);
      toCome -= 1;
      held?.shrink(cleanBytes() + toCome * LARGEST_BYTES);
      return image;
    },
    /** They were sent, or never will be: their bytes are released even if the request is still referenced. */
    letGo(): void {
      isOver = true;
      for (const image of images) image.bytes = NOTHING;
      images.length = 0;
      held?.release();
    },
  };
}
