/** One piece of a typed line: a word, a quoted phrase, or `key=value`. */
export interface Token {
  /** The part before `=`, where the piece has that form. */
  readonly key?: string;
  /** The value without its quotes. */
  readonly text: string;
  /** As typed: what it is when the key turns out to mean nothing. */
  readonly raw: string;
  readonly quoted: boolean;
}

/** Phones type whichever quotes they like: each opening one with those that may close it. */
const closers: Readonly<Record<string, string>> = {
  '"': '"”“',
  '“': '”"',
  '”': '”"',
  '„': '“”"',
  '«': '»',
  '»': '«',
};

/** These are apostrophes, too: they hold a phrase only right after `key=`, and when one closes it at the end of a word. */
const singles = /['‘‚](?:[^'’‘]|['’‘](?=\p{L}))*['’‘](?=\s|$)/uy;

/**
 * `key=`, also with spaces around the sign unless another `key=` follows them: then there is no value. Some are used to
 * `--key=` or to `key:value`.
 */
const keyed =
  /(?:--?|[–—])?(\p{L}[\p{L}\p{N}]{0,31})(?:[^\S\n]{0,3}[=＝](?:[^\S\n]{1,3}(?!\s|\p{L}[\p{L}\p{N}]{0,31}[^\S\n]{0,3}[=＝]|$))?|:(?=[^\s/:]))/uy;

/** Marks of the writing direction and others that nobody sees: keyboards leave them around words and numbers. */
const unseen =
  /^[\u061c\u200b\u200e\u200f\u2060\u2066-\u2069\ufeff]+|[\u061c\u200b\u200e\u200f\u2060\u2066-\u2069\ufeff]+$/g;

/** A quote that is never closed runs to the end of the line. */
const readQuoted = (text: string, start: number): { readonly text: string; readonly end: number } => {
  const closing = closers[text[start] ?? ''] ?? '';
  let end = start + 1;
  while (end < text.length && !closing.includes(text[end] ?? '')) end += 1;
  return { text: text.slice(start + 1, end), end: Math.min(end + 1, text.length) };
};

const readBare = (text: string, start: number): { readonly text: string; readonly end: number } => {
  let end = start;
  while (end < text.length && !/\s/.test(text[end] ?? '')) end += 1;
  return { text: text.slice(start, end).replace(unseen, ''), end };
};

const readValue = (
  text: string,
  start: number,
  named: boolean,
): { readonly text: string; readonly end: number; readonly quoted: boolean } => {
  singles.lastIndex = start;
  const [single] = named ? (singles.exec(text) ?? []) : [];
  if (single !== undefined) return { text: single.slice(1, -1), end: start + single.length, quoted: true };
  const quoted = Object.hasOwn(closers, text[start] ?? '');
  return { ...(quoted ? readQuoted(text, start) : readBare(text, start)), quoted };
};

export const tokens = (line: string): readonly Token[] => {
  const found: Token[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? '')) {
      at += 1;
      continue;
    }
    keyed.lastIndex = at;
    const [head = '', key] = keyed.exec(line) ?? [];
    const start = at + head.length;
    const { text, end, quoted } = readValue(line, start, key !== undefined);
    found.push({ ...(key === undefined ? {} : { key }), text, raw: line.slice(at, end), quoted });
    at = end;
  }
  return found;
};
