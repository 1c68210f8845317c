import { PhotoGone } from '../../adapters/adapter.ts';
import { createFairBudget, type TakenUnits } from '../../base/limits/fair-budget.ts';
import type { SentPhoto } from '../../command/photo.ts';
import { MAX_PHOTO_BYTES } from '../../media/photo.ts';
import type { PlatformRegistry } from '../platforms/registry.ts';

export type UsePhoto = ReturnType<typeof createUsePhoto>;

const MOST_BYTES = { total: 3 * MAX_PHOTO_BYTES, perPerson: MAX_PHOTO_BYTES };

/** Fetches a photo for what is done with it at once; all of them together take a bounded part of the memory. */
export function createUsePhoto(platforms: Pick<PlatformRegistry, 'of'>) {
  const inMemory = createFairBudget(MOST_BYTES);
  return async <T>(
    ref: SentPhoto,
    person: string,
    signal: AbortSignal,
    use: (bytes: Uint8Array) => Promise<T>,
  ): Promise<T> => {
    let held: TakenUnits | undefined;
    const reserve = async (bytes: number): Promise<void> => {
      held ??= await inMemory.take(person, bytes, signal);
    };
    try {
      const bytes = await platforms.of(ref.from)?.photo(ref, MAX_PHOTO_BYTES, signal, reserve);
      if (bytes === undefined) throw new PhotoGone('the platform is switched off');
      return await use(bytes);
    } finally {
      held?.release();
    }
  };
}
