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
};

/** `key=`, also with spaces around the sign unless another `key=` follows them: then there is no value. */
const keyed =
  /(\p{L}[\p{L}\p{N}]{0,31})[^\S\n]{0,3}=(?:[^\S\n]{1,3}(?!\s|\p{L}[\p{L}\p{N}]{0,31}[^\S\n]{0,3}=|$))?/uy;

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
  return { text: text.slice(start, end), end };
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
    const quoted = Object.hasOwn(closers, line[start] ?? '');
    const { text, end } = quoted ? readQuoted(line, start) : readBare(line, start);
    found.push({ ...(key === undefined ? {} : { key }), text, raw: line.slice(at, end), quoted });
    at = end;
  }
  return found;
};
