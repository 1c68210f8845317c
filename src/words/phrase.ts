/** Helpers for building sentences, for all languages. */
export const list = (items: readonly string[]): string => items.join(', ');

export const oneOf = (items: readonly string[], or: string): string =>
  items.length < 2 ? (items[0] ?? '') : `${list(items.slice(0, -1))} ${or} ${items[items.length - 1]}`;

export const span = (min: number, max: number): string => `${min}–${max}`;
