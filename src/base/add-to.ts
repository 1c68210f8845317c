/** Adds to a count; a count that falls to zero is removed. */
export function addTo<Key>(counts: Map<Key, number>, key: Key, more: number): void {
  const sum = (counts.get(key) ?? 0) + more;
  if (sum > 0) counts.set(key, sum);
  else counts.delete(key);
}
