import { distanceToBeginning, type Effort, editDistance } from '../../base/edit-distance.ts';
import { comparableName } from './comparable-name.ts';
import { LONGEST, type NameIndex, nameIndexOf, type PreparedName, readName } from './name-index.ts';

/** Whether two names differ only by a typo: one edit per five letters, at most two. */
export const isTypo = (typed: string, name: string): boolean =>
  editDistance(typed, name, 2) <= Math.min(2, Math.floor(name.length / 5));

/** Whether each typed word is a prefix of a different word of the name, in any order. */
function beginsItsWords(typed: PreparedName, name: PreparedName): boolean {
  const left = [...name.words];
  return typed.words.every((word) => {
    const at = left.findIndex((each) => each.startsWith(word));
    return at !== -1 && left.splice(at, 1).length > 0;
  });
}

/**
 * How well a name contains what was typed: smaller is better, undefined is no match. A prefix is best, then prefixes of words, then a
 * match inside.
 */
function containing(typed: PreparedName, name: PreparedName): number | undefined {
  // Any match contains all the letters.
  if ((typed.letters & ~name.letters) !== 0) return undefined;
  if (name.text === typed.text) return 0;
  if (name.text.startsWith(typed.text)) return 1;
  if (name.text.includes(typed.text)) return ` ${name.text}`.includes(` ${typed.text}`) ? 2 : 3;
  // "kpop" for K-Pop Star.
  const isSqueezed = name.words.length > 1 && name.squeezed.startsWith(typed.text);
  return isSqueezed || (typed.words.length > 1 && beginsItsWords(typed, name)) ? 3 : undefined;
}

function ones(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Scores of a list's items, by index. */
type Scores = Map<number, number>;

function improve(scores: Scores, item: number, score: number | undefined): void {
  const known = scores.get(item) ?? Number.POSITIVE_INFINITY;
  if (score !== undefined && score < known) scores.set(item, score);
}

/**
 * Edit distance of names to a partly typed word, from the start of the name or of a word. The letters that must be
 * present are compared first, once for all names that share them: a longer prefix cannot be nearer.
 */
function addMisspelt(scores: Scores, typed: PreparedName, index: NameIndex, effort: Effort): void {
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
      // Each letter that the name lacks costs at least one edit.
      if (ones(typed.letters & ~name.letters) > most) continue;
      const edits = distanceToBeginning(typed.text, name.text, most, at, effort);
      if (edits <= most) improve(scores, owner, 4 + edits + (at === 0 ? 0 : 0.5));
    }
  }
}

/** Items with exactly this name. Pass the same list and `textsOf` each time, as below. */
export function itemsNamed<T>(
  typed: string,
  items: readonly T[],
  textsOf: (item: T) => readonly string[],
): readonly T[] {
  const wanted = comparableName(typed);
  const { names, owners } = nameIndexOf(items, textsOf);
  const found = new Set(owners.filter((_, place) => names[place]?.whole === wanted));
  return items.filter((_, place) => found.has(place));
}

/** The letters of a typed text that are compared: names have at most a hundred, so more are ignored. */
const LONGEST_TYPED = 4 * LONGEST;
/** Ten thousand names of four words take a tenth of it; beyond it, names are not compared for typos. */
const MOST_ROWS = 1_000_000;

/**
 * Best matches first; equal ones keep their order. Nothing typed: the first items. Typos are considered only where
 * nothing begins with what was typed. Pass the same lists and `textsOf` each time, because indexes are cached by them.
 * `effort` limits the work for typos; of equally good matches those with a lower `placeOf` come first.
 */
export function rankAll<T>(
  typed: string,
  lists: readonly (readonly T[])[],
  textsOf: (item: T) => readonly string[],
  limit: number,
  effort: Effort = { rows: MOST_ROWS },
  placeOf: (item: T) => number = () => 0,
): readonly T[] {
  const wanted = readName(typed.slice(0, LONGEST_TYPED));
  if (wanted.text === '') return lists.flat().slice(0, limit);
  const found = lists.map((items) => {
    const index = nameIndexOf(items, textsOf);
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
      [...scores]
        .sort(([a], [b]) => a - b)
        .flatMap(([place, score]) => {
          const item = items[place];
          return item === undefined ? [] : [{ item, score, place: placeOf(item) }];
        }),
    )
    .sort((a, b) => a.score - b.score || a.place - b.place)
    .slice(0, limit)
    .map(({ item }) => item);
}
