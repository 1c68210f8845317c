/**
 * Those of whoever has most, in their order: where all is taken, nobody loses anything because of what others have.
 * `least`: whoever has less than that counts as having so much.
 */
export const ofHeaviest = <T>(
  all: readonly T[],
  ownerOf: (one: T) => string,
  weightOf: (one: T) => number = () => 1,
  least = 0,
): readonly T[] => {
  const weights = new Map<string, number>();
  for (const one of all) weights.set(ownerOf(one), (weights.get(ownerOf(one)) ?? 0) + weightOf(one));
  const most = Math.max(least, ...weights.values());
  return all.filter((one) => Math.max(least, weights.get(ownerOf(one)) ?? 0) === most);
};
