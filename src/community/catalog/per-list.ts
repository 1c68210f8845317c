import type { CatalogEntry } from '../../command/ports.ts';

/** Memoised per list, because it is needed on every keystroke. */
export function perList<T>(
  make: (entries: readonly CatalogEntry[]) => T,
): (entries: readonly CatalogEntry[]) => T {
  const made = new WeakMap<readonly CatalogEntry[], T>();
  return (entries) => {
    const known = made.get(entries) ?? make(entries);
    made.set(entries, known);
    return known;
  };
}

function fitting(model: CatalogEntry['model']) {
  return perList((entries) => entries.filter((entry) => entry.model === model || entry.model === 'unknown'));
}

/** The entries for this model, and those whose model is unknown. */
export const ofModel = { face: fitting('face'), group: fitting('group') };
