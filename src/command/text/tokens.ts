import { defined } from '../../base/defined.ts';

/** A token of a typed line: a word, a quoted phrase, or `key=value`. */
export interface Token {
  /** The part before `=`; undefined for a token without one. */
  readonly key?: string;
  /** The value without its quotes. */
  readonly text: string;
  /** As typed, for when the key is not an option. */
  readonly raw: string;
  readonly quoted: boolean;
}

/** Phones type various quotes: each opening quote with its closing ones. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"”“',
  '“': '”"',
  '”': '”"',
  '„': '“”"',
  '«': '»',
  '»': '«',
};

/** Single quotes are apostrophes, too: they quote a phrase only after `key=`, and only if one closes it at the end of a word. */
const SINGLE_QUOTE = /['‘‚]/;
const CLOSING_SINGLE = /['’‘](?!\p{L})/gu;

/** `key=`, also with spaces around the sign (unless another `key=` follows), `--key=` and `key:value`. */
const KEYED =
  /(?:--?|[–—])?(\p{L}[\p{L}\p{N}]{0,31})(?:[^\S\n]{0,3}[=＝](?:[^\S\n]{1,3}(?!\s|\p{L}[\p{L}\p{N}]{0,31}[^\S\n]{0,3}[=＝]|$))?|:(?=[^\s/:]))/uy;

/** Direction marks and other invisible characters that keyboards insert. */
const UNSEEN = '\u061c\u200b\u200e\u200f\u2060\u2066\u2067\u2068\u2069\ufeff';
const UNSEEN_BEFORE = new RegExp(`^[${UNSEEN}]+`);

/** An unclosed quote runs to the end of the line. */
function readQuoted(text: string, start: number): { readonly text: string; readonly end: number } {
  const closing = CLOSERS[text[start] ?? ''] ?? '';
  let end = start + 1;
  while (end < text.length && !closing.includes(text[end] ?? '')) end += 1;
  return { text: text.slice(start + 1, end), end: Math.min(end + 1, text.length) };
}

function readBare(text: string, start: number): { readonly text: string; readonly end: number } {
  let end = start;
  while (end < text.length && !/\s/.test(text[end] ?? '')) end += 1;
  return { text: withoutTrailing(text.slice(start, end).replace(UNSEEN_BEFORE, ''), UNSEEN), end };
}

/** The end of a phrase in single quotes, if any. The next closing quote is searched once, not for every opening one. */
function createSingles(line: string): (start: number) => number | undefined {
  let next = -1;
  return (start) => {
    if (!SINGLE_QUOTE.test(line.charAt(start))) return undefined;
    if (next <= start) {
      CLOSING_SINGLE.lastIndex = start + 1;
      next = CLOSING_SINGLE.exec(line)?.index ?? line.length;
    }
    return next < line.length && /^\s?$/.test(line.charAt(next + 1)) ? next : undefined;
  };
}

/** Divides a line into words, quoted phrases and `key=value`. */
export function tokens(line: string): Token[] {
  const found: Token[] = [];
  const endOfSingles = createSingles(line);
  const readValue = (start: number, named: boolean) => {
    const end = named ? endOfSingles(start) : undefined;
    if (end !== undefined) return { text: line.slice(start + 1, end), end: end + 1, quoted: true };
    const quoted = Object.hasOwn(CLOSERS, line.charAt(start));
    return { ...(quoted ? readQuoted(line, start) : readBare(line, start)), quoted };
  };
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? '')) {
      at += 1;
      continue;
    }
    KEYED.lastIndex = at;
    const [head = '', key] = KEYED.exec(line) ?? [];
    const start = at + head.length;
    const { text, end, quoted } = readValue(start, key !== undefined);
    found.push({ ...defined({ key }), text, raw: line.slice(at, end), quoted });
    at = end;
  }
  return found;
}

/** Removes these characters from the end. A regular expression ending in `+$` would take quadratic time. */
export function withoutTrailing(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
