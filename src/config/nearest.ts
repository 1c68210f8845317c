import { distance } from '../base/edit-distance.ts';

/** Longer than any setting's name. */
const MAX_LENGTH = 100;

/** The candidate that the fewest added, removed, changed or swapped letters turn `name` into. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toUpperCase();
  const distances = candidates.map((candidate) => distance(wanted, candidate, MAX_LENGTH));
  return candidates[distances.indexOf(Math.min(...distances))];
}
