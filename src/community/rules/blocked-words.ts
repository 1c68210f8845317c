import { keepLatest } from '../../base/keep-latest.ts';
import { decompose } from '../../command/decompose.ts';
import { plainLetters, withLatinCapitals } from './look-alikes.ts';
import { createWordFinder, longestForm, type Reading } from './word-finder.ts';

/**
 * Blocked words, recognised through the usual disguises: case, accents, look-alike letters and digits, letters spaced
 * out or split by punctuation, a blank beside what is no word. A word matches whole words only, or "ass" would block
 * "classic", and does not reach over from one word into the next, or "the pen is red" would be refused and nobody could
 * tell why; whoever wants that blocks it as "pen is", which means both.
 */

/** Where words stand without blanks between them, each letter can begin one and end one. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const piece = new RegExp(`[${unspaced}]|[[\\p{L}\\p{N}]--[${unspaced}]]+`, 'gv');

/** A sign may be a letter ("k!ll", "a$$") or mean nothing ("ass!", "n|u|d|e"): the text is read in each way. */
const [asTyped, ...others] = ['@$€|+', '@$€|+!', ''] as const;
/** More than a text of any option can have. One that has more all the same is not searched: it counts as blocked. */
const mostLetters = 10_000;

/** Letters that stand together. A piece that goes on from the one before may be the rest of a word that was split. */
interface Piece {
  readonly letters: string;
  readonly goesOn: boolean;
}

/** What follows an apostrophe in a short form: "he'll" is not "hell". */
const shortForm = /^(?:ll|s|t|d|m|re|ve)(?!\p{L})/iu;
const apostrophe = /['’ʼ＇]/u;
/** One letter that is a word by itself, in some language: "a hole" is no disguise, "p enis" is one. */
const shortWord = new RegExp(`[aeiouyавеикосуя${unspaced}]`, 'iv');
const isWordOfOneLetter = (typed: string): boolean => {
  const letters = typed.match(/\p{L}/giv) ?? [];
  return letters.length <= 1 && shortWord.test(letters[0] ?? typed);
};

/** Consonants alone are no word, hardly an abbreviation: "fu ck" is a disguise, "pen is" two words. */
const noWord = /^[b-df-hj-np-tv-xz]{2,}$/i;

/** Other signs than blanks and apostrophes split no word: "n.u-d_e". */
const piecesOf = (word: string, signsAsLetters: string): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (const part of word.split(apostrophe)) {
    let joined = pieces.length > 0 && !shortForm.test(part);
    for (const letters of plainLetters(part, signsAsLetters).match(piece) ?? []) {
      pieces.push({ letters, goesOn: joined });
      joined = true;
    }
  }
  return pieces;
};

const squeeze = (pieces: readonly Piece[]): string => pieces.map(({ letters }) => letters).join('');

/**
 * Blanks part words, as people write them, except around what is no word: letters that stand alone, which is how a word
 * is spaced out ("n u d e"), and consonants alone. "The pen is red" has nothing across its blanks.
 */
const parts = (text: string, signsAsLetters: string): readonly Piece[] => {
  const words = text
    .split(/\s+/u)
    .map((typed) => ({ typed, pieces: piecesOf(typed, signsAsLetters) }))
    .filter(({ pieces }) => pieces.length > 0);
  const alone = words.map(({ pieces }) => [...squeeze(pieces)].length === 1);
  const loose = words.map(({ typed }, at) => {
    const inRow = alone[at - 1] === true || alone[at + 1] === true;
    return alone[at] === true ? inRow || !isWordOfOneLetter(typed) : noWord.test(typed);
  });
  return words.flatMap(({ pieces }, at) => {
    const goesOn = loose[at] === true || loose[at - 1] === true;
    return pieces.map((each, index) => (index === 0 ? { ...each, goesOn } : each));
  });
};

/** A number is meant as one: "69" is neither "gg" nor "99", and "13" not "i.e.". */
const number = /^\d+$/;
const plainDigits = (text: string): string => decompose(text).replace(/\p{Cf}/gu, '');

const formOf = (word: string): string => {
  // Kept from before there was a limit: one letter can stand for eighteen.
  if (decompose(word).length > longestForm) return '';
  const typed = plainDigits(word).trim();
  const form = number.test(typed) ? typed : squeeze(parts(word, asTyped));
  return form.length > longestForm ? '' : form;
};

const readingOf = (pieces: readonly Piece[]): Reading => {
  const letters = squeeze(pieces);
  const starts = new Uint8Array(letters.length + 1);
  const breaks = new Uint8Array(letters.length + 1);
  let at = 0;
  for (const { letters: some, goesOn } of pieces) {
    starts[at] = 1;
    if (!goesOn) breaks[at] = 1;
    at += some.length;
  }
  starts[at] = 1;
  return { letters, starts, breaks };
};

const gap = /[\s\p{Pd}]+/u;

/** Where a blocked phrase has blanks or hyphens of its own the text may have blanks, too. */
const gapsOf = (phrase: string): ReadonlySet<number> => {
  const gaps = new Set<number>();
  if (!gap.test(phrase)) return gaps;
  let at = 0;
  for (const word of phrase.split(gap)) {
    gaps.add(at);
    at += squeeze(piecesOf(word, asTyped)).length;
  }
  return gaps;
};

interface Look {
  readonly form: string;
  readonly gaps: ReadonlySet<number>;
}

/** Whoever blocks one more word has all the others looked at again. */
const looks = new Map<string, Look>();
const mostLooks = 10_000;

const lookOf = (word: string): Look => {
  const known = looks.get(word);
  if (known !== undefined) return known;
  const form = formOf(word);
  const look = { form, gaps: form === '' ? new Set<number>() : gapsOf(word) };
  looks.set(word, look);
  keepLatest(looks, mostLooks);
  return look;
};

/**
 * The form under which a blocked word is kept and compared; empty when nothing of it can be compared, or when it is
 * longer than any that can be typed.
 */
export const blockedForm = (word: string): string => lookOf(word).form;

/** Finds the first of the words that a text contains, in the form in which it was blocked. */
export const createBlockedWords = (
  words: readonly string[],
  onSteps?: (steps: number) => void,
): ((text: string) => string | undefined) => {
  const forms = words
    .map((typed, index) => ({ letters: lookOf(typed).form, gaps: lookOf(typed).gaps, index }))
    .filter(({ letters }) => letters !== '');
  const numbers = forms.filter(({ letters }) => number.test(letters));
  const firstIn = createWordFinder(
    forms.filter(({ letters }) => !number.test(letters)),
    onSteps,
  );
  return (text) => {
    if (words.length === 0) return undefined;
    const typed = decompose(text);
    if (typed.length > mostLetters) return words[0];
    // Signs that the text does not have make no other reading.
    const signs = new Set(
      [asTyped, ...others].map((all) => [...all].filter((sign) => typed.includes(sign)).join('')),
    );
    const found = [...new Set([text, withLatinCapitals(text)])].flatMap((capitals) =>
      [...signs].map((signsAsLetters) => firstIn(readingOf(parts(capitals, signsAsLetters)))),
    );
    const asNumbers = numbers.length === 0 ? new Set() : new Set(plainDigits(text).match(piece));
    found.push(numbers.find(({ letters }) => asNumbers.has(letters))?.index);
    return words[Math.min(...found.map((index) => index ?? words.length))];
  };
};
