/** Helpers for building sentences, for all languages. */
export function list(items: readonly string[]): string {
  return items.join(', ');
}

export function oneOf(items: readonly string[], or: string): string {
  return items.length < 2 ? (items[0] ?? '') : `${list(items.slice(0, -1))} ${or} ${items[items.length - 1]}`;
}

/** A day of a year: "Nov 16". */
export function shortDate(language: string, at: number): string {
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at);
}
