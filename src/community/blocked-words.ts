import { plainLetters, withLatinCapitals } from './look-alikes.ts';

/**
 * Blocked words, recognised through the usual disguises: case, accents, look-alike letters and digits, letters spaced
 * out or split by punctuation. A word matches whole words only, or "ass" would block "classic".
 */

/** Where words stand without blanks between them, each letter can begin one and end one. */
const unspaced = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const piece = new RegExp(`[${unspaced}]|[[\\p{L}\\p{N}]--[${unspaced}]]+`, 'gv');

/** A sign may be a letter ("k!ll", "a$$") or mean nothing ("ass!", "n|u|d|e"): the text is read in each way. */
const [asTyped, ...others] = ['@$€|+', '@$€|+!', ''] as const;

const parts = (text: string, signsAsLetters: string): readonly string[] =>
  plainLetters(text, signsAsLetters).match(piece) ?? [];

/** A number is meant as one: "69" is neither "gg" nor "99", and "13" not "i.e.". */
const number = /^\d+$/;
const plainDigits = (text: string): string => text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');

/** The form under which a blocked word is kept and compared; empty when nothing of it can be compared. */
export const blockedForm = (word: string): string => {
  const typed = plainDigits(word).trim();
  return number.test(typed) ? typed : parts(word, asTyped).join('');
};

const createFinder = (pieces: readonly string[]): ((form: string) => boolean) => {
  const starts = new Set<number>();
  const ends = new Set<number>();
  let squeezed = '';
  for (const piece of pieces) {
    starts.add(squeezed.length);
    squeezed += piece;
    ends.add(squeezed.length);
  }
  return (form) => {
    for (let at = squeezed.indexOf(form); at !== -1; at = squeezed.indexOf(form, at + 1)) {
      const end = at + form.length;
      const plural = squeezed[end] === 's' && ends.has(end + 1);
      if (starts.has(at) && (ends.has(end) || plural)) return true;
    }
    return false;
  };
};

/** The first of the words that the text contains, in the form in which it was blocked. */
export const findBlocked = (text: string, words: readonly string[]): string | undefined => {
  if (words.length === 0) return undefined;
  const readings = [...new Set([text, withLatinCapitals(text)])];
  const finders = [asTyped, ...others].flatMap((signsAsLetters) =>
    readings.map((reading) => createFinder(parts(reading, signsAsLetters))),
  );
  const asNumbers = new Set(plainDigits(text).match(piece));
  return words.find((each) => {
    const form = blockedForm(each);
    if (number.test(form)) return asNumbers.has(form);
    return form !== '' && finders.some((contains) => contains(form));
  });
};
