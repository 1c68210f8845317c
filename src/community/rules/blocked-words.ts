import { keepLatest } from '../../base/keep-latest.ts';
import { decompose } from '../../command/decompose.ts';
import { plainLetters, withLatinCapitals } from './look-alikes.ts';
import { createWordFinder, type Form, LONGEST_FORM, type Reading } from './word-finder.ts';

/**
 * Recognises blocked words despite case, accents, look-alike letters and digits, and letters that are spaced out or split by
 * punctuation. Matches whole words only ("ass" does not block "classic") and not across words ("the pen is red"); to block
 * that, block "pen is".
 */

/** The scripts without blanks between words, in which each letter can start and end a word. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const PIECE = new RegExp(`[${UNSPACED}]|[[\\p{L}\\p{N}]--[${UNSPACED}]]+`, 'gv');

/**
 * The signs that are read as letters, for each reading of a text: a sign may be a letter ("k!ll", "a$$") or nothing ("ass!",
 * "n|u|d|e").
 */
const LETTER_SIGNS = ['@$€|+', '@$€|+!', ''] as const;
/** A longer text counts as blocked, because no option allows one. */
const MOST_LETTERS = 10_000;

/** A run of adjacent letters. `goesOn`: the run may continue a word that was split. */
interface Piece {
  readonly letters: string;
  readonly goesOn: boolean;
}

/** Matches short forms after an apostrophe, because "he'll" is not "hell". */
const SHORT_FORM = /^(?:ll|s|t|d|m|re|ve)(?!\p{L})/iu;
const APOSTROPHE = /['’ʼ＇]/u;
/** Matches words of one letter, because "a hole" is no disguise, while "p enis" is one. */
const SHORT_WORD = new RegExp(`[aeiouyавеикосуя${UNSPACED}]`, 'iv');
function isWordOfOneLetter(typed: string): boolean {
  const letters = typed.match(/\p{L}/giv) ?? [];
  return letters.length <= 1 && SHORT_WORD.test(letters[0] ?? typed);
}

/** Matches consonants alone, which are no word: "fu ck" is a disguise, but "pen is" is two words. */
const NO_WORD = /^[b-df-hj-np-tv-xz]{2,}$/i;

/** Splits a word into runs of letters. Only blanks and apostrophes separate words, so "n.u-d_e" is one word. */
function piecesOf(word: string, signsAsLetters: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const part of word.split(APOSTROPHE)) {
    let joined = pieces.length > 0 && !SHORT_FORM.test(part);
    for (const letters of plainLetters(part, signsAsLetters).match(PIECE) ?? []) {
      pieces.push({ letters, goesOn: joined });
      joined = true;
    }
  }
  return pieces;
}

const squeeze = (pieces: readonly Piece[]): string => pieces.map(({ letters }) => letters).join('');

/**
 * Splits a text into runs of letters. Blanks separate words, except around single letters ("n u d e") and consonants alone.
 */
function piecesOfText(text: string, signsAsLetters: string): readonly Piece[] {
  const words = text
    .split(/\s+/u)
    .map((typed) => ({ typed, pieces: piecesOf(typed, signsAsLetters) }))
    .filter(({ pieces }) => pieces.length > 0);
  const alone = words.map(({ pieces }) => [...squeeze(pieces)].length === 1);
  const loose = words.map(({ typed }, at) => {
    const inRow = alone[at - 1] === true || alone[at + 1] === true;
    return alone[at] === true ? inRow || !isWordOfOneLetter(typed) : NO_WORD.test(typed);
  });
  return words.flatMap(({ pieces }, at) => {
    const goesOn = loose[at] === true || loose[at - 1] === true;
    return pieces.map((each, index) => (index === 0 ? { ...each, goesOn } : each));
  });
}

/** Matches a number, whose digits are not read as letters: "69" is not "gg". */
const NUMBER = /^\d+$/;
const plainDigits = (text: string): string => decompose(text).replace(/\p{Cf}/gu, '');

function formOf(word: string): string {
  // Words that were stored before there was a limit may be too long; one letter can decompose into eighteen.
  if (decompose(word).length > LONGEST_FORM) return '';
  const typed = plainDigits(word).trim();
  const form = NUMBER.test(typed) ? typed : squeeze(piecesOfText(word, LETTER_SIGNS[0]));
  return form.length > LONGEST_FORM ? '' : form;
}

function readingOf(pieces: readonly Piece[]): Reading {
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
}

const GAP = /[\s\p{Pd}]+/u;

/** The positions at which a blocked phrase has blanks or hyphens, where the text may have blanks, too. */
function gapsOf(phrase: string): ReadonlySet<number> {
  const gaps = new Set<number>();
  if (!GAP.test(phrase)) return gaps;
  let at = 0;
  for (const word of phrase.split(GAP)) {
    gaps.add(at);
    at += squeeze(piecesOf(word, LETTER_SIGNS[0])).length;
  }
  return gaps;
}

type ComparedWord = Pick<Form, 'letters' | 'gaps'>;

/** Prepared words, cached because blocking one more word prepares all others again. */
const comparedWords = new Map<string, ComparedWord>();
const MOST_CACHED = 10_000;

function comparedWord(word: string): ComparedWord {
  const known = comparedWords.get(word);
  if (known !== undefined) return known;
  const letters = formOf(word);
  const compared = { letters, gaps: letters === '' ? new Set<number>() : gapsOf(word) };
  comparedWords.set(word, compared);
  keepLatest(comparedWords, MOST_CACHED);
  return compared;
}

/** The form in which a blocked word is compared; empty if the word has no letters or is too long. */
export const blockedForm = (word: string): string => comparedWord(word).letters;

/** Makes the function that finds the first of these words that a text contains. */
export function createBlockedWords(
  words: readonly string[],
  onSteps?: (steps: number) => void,
): (text: string) => string | undefined {
  const forms = words
    .map((typed, index) => ({ ...comparedWord(typed), index }))
    .filter(({ letters }) => letters !== '');
  const numbers = forms.filter(({ letters }) => NUMBER.test(letters));
  const firstIn = createWordFinder(
    forms.filter(({ letters }) => !NUMBER.test(letters)),
    onSteps,
  );
  return (text) => {
    if (words.length === 0) return undefined;
    const typed = decompose(text);
    if (typed.length > MOST_LETTERS) return words[0];
    // Readings that differ only in signs which the text does not have are checked once.
    const signs = new Set(
      LETTER_SIGNS.map((all) => [...all].filter((sign) => typed.includes(sign)).join('')),
    );
    const found = [...new Set([text, withLatinCapitals(text)])].flatMap((capitals) =>
      [...signs].map((signsAsLetters) => firstIn(readingOf(piecesOfText(capitals, signsAsLetters)))),
    );
    const asNumbers = numbers.length === 0 ? new Set() : new Set(plainDigits(text).match(PIECE));
    found.push(numbers.find(({ letters }) => asNumbers.has(letters))?.index);
    return words[Math.min(...found.map((index) => index ?? words.length))];
  };
}
