/** Helpers for building sentences, for all languages. */
export const list = (items: readonly string[]): string => items.join(', ');

export const oneOf = (items: readonly string[], or: string): string =>
  items.length < 2 ? (items[0] ?? '') : `${list(items.slice(0, -1))} ${or} ${items[items.length - 1]}`;

/** The form that a count needs in a language: zero is singular in French and Portuguese, and plural in the others. */
export function pluralIn(language: string) {
  const rules = new Intl.PluralRules(language);
  return <Form>(count: number, one: Form, other: Form): Form => (rules.select(count) === 'one' ? one : other);
}

/** A day of a year: "Nov 16". */
export const shortDate = (language: string, at: number): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at);
