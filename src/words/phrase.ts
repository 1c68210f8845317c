/** This file has helpers for building sentences in all languages. */
export const list = (items: readonly string[]): string => items.join(', ');

export const joinWithOr = (items: readonly string[], or: string): string =>
  items.length < 2 ? (items[0] ?? '') : `${list(items.slice(0, -1))} ${or} ${items[items.length - 1]}`;

/**
 * Creates the function that selects the form of a word for a count: zero is singular in French and Portuguese, and plural in
 * the other languages.
 */
export function pluralIn(language: string) {
  const rules = new Intl.PluralRules(language);
  return <Form>(count: number, one: Form, other: Form): Form => (rules.select(count) === 'one' ? one : other);
}

/** Writes a day without its year: "Nov 16". */
export const shortDate = (language: string, at: number): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at);
