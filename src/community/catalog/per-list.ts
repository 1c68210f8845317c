import type { CatalogEntry } from '../../command/ports.ts';

/** Made once for each list and forgotten with it: it is wanted on every keystroke. */
export const perList = <T>(
  make: (entries: readonly CatalogEntry[]) => T,
): ((entries: readonly CatalogEntry[]) => T) => {
  const made = new WeakMap<readonly CatalogEntry[], T>();
  return (entries) => {
    const known = made.get(entries) ?? make(entries);
    made.set(entries, known);
    return known;
  };
};

const fitting = (model: CatalogEntry['model']) =>
  perList((entries) => entries.filter((entry) => entry.model === model || entry.model === 'unknown'));

/** Those that are made for this model, or may be. */
export const ofModel = { face: fitting('face'), group: fitting('group') };
