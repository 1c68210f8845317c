/**
 * The items of the owner with the greatest total weight, in order: when a limit is reached, that owner loses something rather
 * than others. Owners with less than `least` count as equals.
 */
export function itemsOfHeaviestOwner<T>(
  all: readonly T[],
  ownerOf: (one: T) => string,
  weightOf: (one: T) => number = () => 1,
  least = 0,
): readonly T[] {
  const weights = new Map<string, number>();
  for (const one of all) weights.set(ownerOf(one), (weights.get(ownerOf(one)) ?? 0) + weightOf(one));
  const most = Math.max(least, ...weights.values());
  return all.filter((one) => Math.max(least, weights.get(ownerOf(one)) ?? 0) === most);
}
