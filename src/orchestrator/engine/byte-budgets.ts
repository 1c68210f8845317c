import { createFairBudget, type FairBudget, splitBySize } from '../../base/limits/fair-budget.ts';

/** Bytes of photos on their way in, and of results on their way out, that are in memory at once. */
export type ByteBudgets = Readonly<Record<'photos' | 'pictures' | 'videos', FairBudget>>;

const MB = 1024 * 1024;
/** A photo of 20 MB for each of eight people, or fifty of an ordinary size: it is smaller as soon as it is cleaned. */
const PHOTO_BYTES = { total: 160 * MB, perPerson: 40 * MB };
/** Results of an ordinary size do not wait for the memory of large ones. A picture is base64, up to 12 MB of it. */
const ORDINARY_BYTES = 16 * MB;
const PICTURE_BYTES = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 32 * MB, perPerson: 32 * MB },
};
/** Large ones: two as large as a chat takes. */
const VIDEO_BYTES = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 100 * MB, perPerson: 50 * MB },
};

function bySize({ ordinary, large }: typeof PICTURE_BYTES): FairBudget {
  return splitBySize(createFairBudget(ordinary), ORDINARY_BYTES, createFairBudget(large));
}

export function createByteBudgets(): ByteBudgets {
  return {
    photos: createFairBudget(PHOTO_BYTES),
    pictures: bySize(PICTURE_BYTES),
    videos: bySize(VIDEO_BYTES),
  };
}
