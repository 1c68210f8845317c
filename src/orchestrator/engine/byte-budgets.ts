import { createFairBudget, type FairBudget, splitBySize } from '../../base/fair-budget.ts';

/** Bytes of photos on their way in, and of results on their way out, that are in memory at once. */
export type ByteBudgets = Readonly<Record<'photos' | 'pictures' | 'videos', FairBudget>>;

const MB = 1024 * 1024;
/** A photo of 20 MB for each of eight people, or fifty of an ordinary size: it is smaller as soon as it is cleaned. */
const photoBytes = { total: 160 * MB, perPerson: 40 * MB };
/** Results of an ordinary size do not wait for the memory of large ones. A picture is base64, up to 12 MB of it. */
const ordinaryBytes = 16 * MB;
const pictureBytes = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 32 * MB, perPerson: 32 * MB },
};
/** Large ones: two as large as a chat takes. */
const videoBytes = {
  ordinary: { total: 48 * MB, perPerson: 32 * MB },
  large: { total: 100 * MB, perPerson: 50 * MB },
};

const bySize = ({ ordinary, large }: typeof pictureBytes): FairBudget =>
  splitBySize(createFairBudget(ordinary), ordinaryBytes, createFairBudget(large));

export const createByteBudgets = (): ByteBudgets => ({
  photos: createFairBudget(photoBytes),
  pictures: bySize(pictureBytes),
  videos: bySize(videoBytes),
});
