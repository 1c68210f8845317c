import { distance, distanceToBeginning, type Effort } from '../../base/edit-distance.ts';
import { sameAs } from './comparable-name.ts';
import { indexOf, longest, type Name, type NameIndex, nameOf } from './name-index.ts';

/** Of two such names: they are one but for a slip of the finger, a letter in five, two at most. */
export const isTypo = (typed: string, name: string): boolean =>
  distance(typed, name, 2) <= Math.min(2, Math.floor(name.length / 5));

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
  // It has all the letters, whichever way it matches.
  if ((typed.letters & ~name.letters) !== 0) return undefined;
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

/** The scores of a list's items, by their places. */
type Scores = Map<number, number>;

const improve = (scores: Scores, item: number, score: number | undefined): void => {
  const known = scores.get(item) ?? Number.POSITIVE_INFINITY;
  if (score !== undefined && score < known) scores.set(item, score);
};

/**
 * How badly names are misspelt, from their beginning or from that of a word. Somebody may be still typing. As many
 * letters as must be there are compared first, once for all names that have them: whatever begins with them is at
 * least as far from what was typed as they are from its beginning.
 */
const addMisspelt = (scores: Scores, typed: Name, index: NameIndex, effort: Effort): void => {
  const most = Math.min(3, Math.floor(typed.text.length / 3));
  if (most === 0) return;
  for (const head of index.heads(2 * most)) {
    if (effort.rows <= 0) return;
    if (ones(head.letters & ~typed.letters) > most) continue;
    if (distanceToBeginning(head.text, typed.text, most, 0, effort) > most) continue;
    for (const { name: place, at } of head.starts) {
      const name = index.names[place];
      const owner = index.owners[place];
      if (name === undefined || owner === undefined || effort.rows <= 0) return;
      // A letter that the name does not have takes one edit at least.
      if (ones(typed.letters & ~name.letters) > most) continue;
      const edits = distanceToBeginning(typed.text, name.text, most, at, effort);
      if (edits <= most) improve(scores, owner, 4 + edits + (at === 0 ? 0 : 0.5));
    }
  }
};

/** Those that are called just so. Pass the same list and the same `textsOf` each time, as below. */
export const called = <T>(
  typed: string,
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
): readonly T[] => {
  const wanted = sameAs(typed);
  const { names, owners } = indexOf(items, textsOf);
  const found = new Set(owners.filter((_, place) => names[place]?.whole === wanted));
  return items.filter((_, place) => found.has(place));
};

/** What is typed further on changes nothing: names have at most a hundred letters. */
const longestTyped = 4 * longest;
/** Ten thousand names of four words take a tenth of it; what is left then is not compared for misspellings. */
const mostRows = 1_000_000;

/**
 * The best matches first; equal ones keep their order. Nothing typed: the first ones as they come. Misspellings are
 * looked for only where nothing begins with what was typed. Pass the same lists and the same `textsOf` each time: names
 * are prepared once for them. `effort` is what looking for misspellings may cost.
 */
export const rankAll = <T>(
  typed: string,
  lists: readonly (readonly T[])[],
  textsOf: (item: T) => readonly string[],
  limit: number,
  effort: Effort = { rows: mostRows },
): readonly T[] => {
  const wanted = nameOf(typed.slice(0, longestTyped));
  if (wanted.text === '') return lists.flat().slice(0, limit);
  const found = lists.map((items) => {
    const index = indexOf(items, textsOf);
    const scores: Scores = new Map();
    for (let place = 0; place < index.names.length; place += 1) {
      const name = index.names[place];
      const score = name === undefined ? undefined : containing(wanted, name);
      if (score !== undefined) improve(scores, index.owners[place] ?? 0, score);
    }
    return { items, index, scores };
  });
  const isFound = found.some(({ scores }) => [...scores.values()].some((score) => score <= 2));
  if (!isFound) for (const { index, scores } of found) addMisspelt(scores, wanted, index, effort);
  return found
    .flatMap(({ items, scores }) =>
      [...scores].sort(([a], [b]) => a - b).flatMap(([place, score]) => ({ item: items[place], score })),
    )
    .sort((a, b) => a.score - b.score)
    .slice(0, limit)
    .flatMap(({ item }) => (item === undefined ? [] : [item]));
};

export const rank = <T>(
  typed: string,
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
  limit: number,
): readonly T[] => rankAll(typed, [items], textsOf, limit);
