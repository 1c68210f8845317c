import { decompose } from './decompose.ts';
import { distance, distanceToBeginning } from './distance.ts';

/** Letters that Unicode does not take apart, as those write them who do not have them. */
const written: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** Letters that matter when names are compared: no case, no accents, no punctuation. */
const plain = (text: string): string =>
  decompose(text)
    .toLowerCase()
    .replace(/[æœøßłđðþı]/g, (letter) => written[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Two names are one when these are equal: what has no letters at all (🎃) is compared as it stands. */
export const sameAs = (name: string): string => plain(name) || name.trim();

/** Of two such names: they are one but for a slip of the finger, a letter in five, two at most. */
export const isSlip = (typed: string, name: string): boolean =>
  distance(typed, name, 2) <= Math.min(2, Math.floor(name.length / 5));

/** A name made ready for comparing. */
interface Name {
  /** However long it is. */
  readonly whole: string;
  /** What is looked at when it is searched. */
  readonly text: string;
  readonly words: readonly string[];
  /** Its words without the blanks between them. */
  readonly squeezed: string;
  /** Which letters occur, one bit each, folded into 32. */
  readonly letters: number;
}

const longest = 100;

const lettersOf = (text: string): number => {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
};

const nameOf = (raw: string): Name => {
  const whole = sameAs(raw);
  const text = whole.slice(0, longest).trim();
  const words = text.split(' ');
  return { whole, text, words, squeezed: words.join(''), letters: lettersOf(text) };
};

/** Names are prepared once for each way of reading them from an item, and forgotten with the item. */
const prepared = new WeakMap<object, WeakMap<object, readonly Name[]>>();

const namesOf = <T>(item: T, textsOf: (item: T) => readonly string[]): readonly Name[] => {
  if (typeof item !== 'object' || item === null) return textsOf(item).map(nameOf);
  const known = prepared.get(textsOf) ?? new WeakMap<object, readonly Name[]>();
  prepared.set(textsOf, known);
  const names = known.get(item) ?? textsOf(item).map(nameOf);
  known.set(item, names);
  return names;
};

/** Each word that was typed begins another of the name's, in whatever order. */
const beginsItsWords = (typed: Name, name: Name): boolean => {
  const left = [...name.words];
  return typed.words.every((word) => {
    const at = left.findIndex((each) => each.startsWith(word));
    return at !== -1 && left.splice(at, 1).length > 0;
  });
};

/** The smaller the better; undefined: no match. Prefix first, then prefixes of words, then inside. */
const containing = (typed: Name, name: Name): number | undefined => {
  if (name.text === typed.text) return 0;
  if (name.text.startsWith(typed.text)) return 1;
  if (name.text.includes(typed.text)) return ` ${name.text}`.includes(` ${typed.text}`) ? 2 : 3;
  // "kpop" for K-Pop Star.
  const isSqueezed = name.words.length > 1 && name.squeezed.startsWith(typed.text);
  return isSqueezed || (typed.words.length > 1 && beginsItsWords(typed, name)) ? 3 : undefined;
};

const ones = (bits: number): number => {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
};

/** How badly it is misspelt: the name from its beginning or from that of a word. Somebody may be still typing it. */
const misspelt = (typed: Name, name: Name): number | undefined => {
  const most = Math.min(3, Math.floor(typed.text.length / 3));
  // A letter that the name does not have takes one edit at least.
  if (most === 0 || ones(typed.letters & ~name.letters) > most) return undefined;
  let best: number | undefined;
  for (let start = 0; start !== -1; start = name.text.indexOf(' ', start + 1)) {
    const edits = distanceToBeginning(typed.text, name.text.slice(start).trimStart(), most);
    const score = 4 + edits + (start === 0 ? 0 : 0.5);
    if (edits <= most && score < (best ?? Number.POSITIVE_INFINITY)) best = score;
  }
  return best;
};

const scored = <T>(
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
  score: (name: Name) => number | undefined,
): { readonly item: T; readonly score: number }[] =>
  items.flatMap((item) => {
    let best: number | undefined;
    for (const name of namesOf(item, textsOf)) {
      const one = score(name);
      if (one !== undefined && (best === undefined || one < best)) best = one;
    }
    return best === undefined ? [] : [{ item, score: best }];
  });

/** Those that are called just so. Pass the same `textsOf` each time, as below. */
export const called = <T>(
  typed: string,
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
): readonly T[] => {
  const wanted = sameAs(typed);
  return items.filter((item) => namesOf(item, textsOf).some(({ whole }) => whole === wanted));
};

/**
 * The best matches first; equal ones keep their order. Nothing typed: the first ones as they come. Misspellings are
 * looked for only where nothing begins with what was typed. Pass the same `textsOf` each time: names are prepared
 * once for it.
 */
export const rank = <T>(
  typed: string,
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
  limit: number,
): readonly T[] => {
  const wanted = nameOf(typed);
  if (wanted.text === '') return items.slice(0, limit);
  let found = scored(items, textsOf, (name) => containing(wanted, name));
  if (!found.some(({ score }) => score <= 2))
    found = scored(items, textsOf, (name) => containing(wanted, name) ?? misspelt(wanted, name));
  return found
    .sort((a, b) => a.score - b.score)
    .slice(0, limit)
    .map(({ item }) => item);
};
