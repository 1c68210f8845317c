import { comparableName } from './comparable-name.ts';

/** A name prepared for comparing. */
export interface PreparedName {
  /** The full name. */
  readonly whole: string;
  /** The part that is searched. */
  readonly text: string;
  readonly words: readonly string[];
  /** Its words without spaces. */
  readonly squeezed: string;
  /** Which letters occur, as a 32-bit mask. */
  readonly letters: number;
}

/** The start of a word in a name. */
export interface WordStart {
  readonly name: number;
  readonly at: number;
}

/** Word starts with the same next letters: excluding one excludes all. */
export interface WordStartGroup {
  readonly text: string;
  readonly letters: number;
  readonly starts: readonly WordStart[];
}

/** The prepared names of a list. */
export interface NameIndex {
  readonly names: readonly PreparedName[];
  /** For each name, the index of its item. */
  readonly owners: readonly number[];
  /** Word starts with at least this many letters, grouped by these letters. */
  heads(length: number): readonly WordStartGroup[];
}

/** The most letters of a name that are searched. */
export const LONGEST = 100;

function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
}

/** Prepares a name for comparing. */
export function readName(raw: string): PreparedName {
  const whole = comparableName(raw);
  const text = whole.slice(0, LONGEST).trim();
  const words = text.split(' ');
  return { whole, text, words, squeezed: words.join(''), letters: lettersOf(text) };
}

function headsOf(names: readonly PreparedName[], length: number): readonly WordStartGroup[] {
  const starts = new Map<string, WordStart[]>();
  for (const [name, { text }] of names.entries())
    for (let at = 0; at !== -1; ) {
      const head = text.slice(at, at + length);
      const known = starts.get(head);
      if (known !== undefined) known.push({ name, at });
      else if (head.length === length && head[0] !== ' ') starts.set(head, [{ name, at }]);
      const blank = text.indexOf(' ', at);
      at = blank === -1 ? -1 : blank + 1;
    }
  return [...starts].map(([text, some]) => ({ text, letters: lettersOf(text), starts: some }));
}

function make<T>(items: readonly T[], textsOf: (item: T) => readonly string[]): NameIndex {
  const all = items.flatMap((item, owner) => textsOf(item).map((text) => ({ owner, name: readName(text) })));
  const names = all.map(({ name }) => name);
  const heads = new Map<number, readonly WordStartGroup[]>();
  return {
    names,
    owners: all.map(({ owner }) => owner),
    heads(length) {
      const known = heads.get(length) ?? headsOf(names, length);
      heads.set(length, known);
      return known;
    },
  };
}

/** Cached per list and `textsOf`, weakly. */
const made = new WeakMap<object, WeakMap<object, NameIndex>>();

/** The prepared names of a list, made once for each list. */
export function nameIndexOf<T>(items: readonly T[], textsOf: (item: T) => readonly string[]): NameIndex {
  const known = made.get(textsOf) ?? new WeakMap<object, NameIndex>();
  made.set(textsOf, known);
  const index = known.get(items) ?? make(items, textsOf);
  known.set(items, index);
  return index;
}
