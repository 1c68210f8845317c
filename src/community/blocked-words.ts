import { plainLetters, withLatinCapitals } from './look-alikes.ts';

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

/** Letters that stand together. A piece that goes on from the one before may be the rest of a word that was split. */
interface Piece {
  readonly letters: string;
  readonly goesOn: boolean;
}

/** What follows an apostrophe in a short form: "he'll" is not "hell". */
const shortForm = /^(?:ll|s|t|d|m|re|ve)(?!\p{L})/iu;
const apostrophe = /['’ʼ＇]/u;
/** One letter that is a word by itself, in some language: "a hole" is no disguise, "p enis" is one. */
const wordOfOneLetter = new RegExp(`^\\P{L}*[aeiouyавеикосуя${unspaced}]\\P{L}*$`, 'iv');

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
    return alone[at] === true ? inRow || !wordOfOneLetter.test(typed) : noWord.test(typed);
  });
  return words.flatMap(({ pieces }, at) => {
    const goesOn = loose[at] === true || loose[at - 1] === true;
    return pieces.map((each, index) => (index === 0 ? { ...each, goesOn } : each));
  });
};

/** A number is meant as one: "69" is neither "gg" nor "99", and "13" not "i.e.". */
const number = /^\d+$/;
const plainDigits = (text: string): string => text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');

/** The form under which a blocked word is kept and compared; empty when nothing of it can be compared. */
export const blockedForm = (word: string): string => {
  const typed = plainDigits(word).trim();
  return number.test(typed) ? typed : squeeze(parts(word, asTyped));
};

/** Where pieces begin, as counted in the squeezed text, and of those the places over which no word goes on. */
const bordersOf = (pieces: readonly Piece[]) => {
  const starts = new Set<number>();
  const breaks = new Set<number>();
  let at = 0;
  for (const { letters, goesOn } of pieces) {
    starts.add(at);
    if (!goesOn) breaks.add(at);
    at += letters.length;
  }
  return { starts, breaks, end: at };
};

/** Where a blocked phrase has blanks or hyphens of its own the text may have blanks, too. */
const gapsOf = (phrase: string): ReadonlySet<number> => {
  const gaps = new Set<number>();
  let at = 0;
  for (const word of phrase.split(/[\s\p{Pd}]+/u)) {
    gaps.add(at);
    at += squeeze(piecesOf(word, asTyped)).length;
  }
  return gaps;
};

const createFinder = (pieces: readonly Piece[]) => {
  const squeezed = squeeze(pieces);
  const { starts, breaks, end: last } = bordersOf(pieces);
  const isEnd = (at: number): boolean => at === last || starts.has(at);
  return (form: string, gaps: ReadonlySet<number>): boolean => {
    for (let at = squeezed.indexOf(form); at !== -1; at = squeezed.indexOf(form, at + 1)) {
      const end = at + form.length;
      const plural = squeezed[end] === 's' && isEnd(end + 1);
      const inside = Array.from({ length: form.length - 1 }, (_, index) => index + 1);
      const isWhole = inside.every((offset) => gaps.has(offset) || !breaks.has(at + offset));
      if (isWhole && starts.has(at) && (isEnd(end) || plural)) return true;
    }
    return false;
  };
};

/** Finds the first of the words that a text contains, in the form in which it was blocked. */
export const createBlockedWords = (words: readonly string[]): ((text: string) => string | undefined) => {
  // What words look like is found out once, not for every text.
  const looks = words.map((typed) => {
    const form = blockedForm(typed);
    return { typed, form, isNumber: number.test(form), gaps: gapsOf(typed) };
  });
  return (text) => {
    if (words.length === 0) return undefined;
    const readings = [...new Set([text, withLatinCapitals(text)])];
    const finders = [asTyped, ...others].flatMap((signsAsLetters) =>
      readings.map((reading) => createFinder(parts(reading, signsAsLetters))),
    );
    const asNumbers = new Set(plainDigits(text).match(piece));
    const isIn = ({ form, isNumber, gaps }: (typeof looks)[number]): boolean =>
      isNumber ? asNumbers.has(form) : form !== '' && finders.some((contains) => contains(form, gaps));
    return looks.find(isIn)?.typed;
  };
};
