import { plainLetters, withLatinCapitals } from './look-alikes.ts';

/**
 * Blocked words, recognised through the usual disguises: case, accents, look-alike letters and digits, letters spaced
 * out or split by punctuation. A word matches whole words only, or "ass" would block "classic", and does not reach over
 * from one word into the next, or "the pen is red" would be refused and nobody could tell why.
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

/** Other signs than blanks and apostrophes split no word: "n.u-d_e". */
const piecesOf = (word: string, signsAsLetters: string, goesOn: boolean): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (const part of word.split(apostrophe)) {
    let joined = pieces.length === 0 ? goesOn : !shortForm.test(part);
    for (const letters of plainLetters(part, signsAsLetters).match(piece) ?? []) {
      pieces.push({ letters, goesOn: joined });
      joined = true;
    }
  }
  return pieces;
};

const isOneLetter = (word: string, signsAsLetters: string): boolean =>
  plainLetters(word, signsAsLetters).match(/[\p{L}\p{N}]/gu)?.length === 1;

/**
 * Blanks part words, as people write them, except around letters that stand alone, which is how a word is spaced out:
 * "n u d e" is one, and "the pen is red" has nothing across its blanks.
 */
const parts = (text: string, signsAsLetters: string): readonly Piece[] => {
  const words = text.split(/\s+/u).filter((word) => piecesOf(word, signsAsLetters, false).length > 0);
  const alone = words.map((word) => isOneLetter(word, signsAsLetters));
  const spelled = words.map((word, at) => {
    const inRow = alone[at - 1] === true || alone[at + 1] === true;
    return alone[at] === true && (inRow || !wordOfOneLetter.test(word));
  });
  return words.flatMap((word, at) =>
    piecesOf(word, signsAsLetters, spelled[at] === true || spelled[at - 1] === true),
  );
};

const squeeze = (pieces: readonly Piece[]): string => pieces.map(({ letters }) => letters).join('');

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

/** A blocked phrase has blanks of its own, which the text may have in the same places. */
const createFinder = (pieces: readonly Piece[]) => {
  const squeezed = squeeze(pieces);
  const { starts, breaks, end: last } = bordersOf(pieces);
  const isEnd = (at: number): boolean => at === last || starts.has(at);
  return (form: string, own: ReadonlySet<number>): boolean => {
    for (let at = squeezed.indexOf(form); at !== -1; at = squeezed.indexOf(form, at + 1)) {
      const end = at + form.length;
      const plural = squeezed[end] === 's' && isEnd(end + 1);
      const inside = Array.from({ length: form.length - 1 }, (_, index) => index + 1);
      const isWhole = inside.every((offset) => own.has(offset) || !breaks.has(at + offset));
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
    return { typed, form, isNumber: number.test(form), breaks: bordersOf(parts(typed, asTyped)).breaks };
  });
  return (text) => {
    if (words.length === 0) return undefined;
    const readings = [...new Set([text, withLatinCapitals(text)])];
    const finders = [asTyped, ...others].flatMap((signsAsLetters) =>
      readings.map((reading) => createFinder(parts(reading, signsAsLetters))),
    );
    const asNumbers = new Set(plainDigits(text).match(piece));
    const isIn = ({ form, isNumber, breaks }: (typeof looks)[number]): boolean =>
      isNumber ? asNumbers.has(form) : form !== '' && finders.some((contains) => contains(form, breaks));
    return looks.find(isIn)?.typed;
  };
};
