/** Helpers for building sentences, for all languages. */
export const list = (items: readonly string[]): string => items.join(', ');

export const oneOf = (items: readonly string[], or: string): string =>
  items.length < 2 ? (items[0] ?? '') : `${list(items.slice(0, -1))} ${or} ${items[items.length - 1]}`;

/** A day of a year: "Nov 16". */
export const shortDate = (language: string, at: number): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at);
