/**
 * Blocked words, recognised through the usual disguises: case, accents, look-alike letters and digits, letters spaced
 * out or split by punctuation. A word matches whole words only, or "ass" would block "classic".
 */

const lookAlikes: Readonly<Record<string, string>> = {
  // digits and signs
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '8': 'b',
  // Cyrillic and Greek letters that look Latin
  а: 'a',
  в: 'b',
  е: 'e',
  ё: 'e',
  і: 'i',
  ї: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  ԁ: 'd',
  ӏ: 'i',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  l: 'i',
};

/** Letters that look alike become one letter ("l", "1" and "I" are all "i"): compared, never shown. */
const plain = (text: string): string =>
  [
    ...text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\p{M}\p{Cf}]/gu, ''),
  ]
    .map((letter) => lookAlikes[letter] ?? letter)
    .join('');

const parts = (text: string): readonly string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The form under which a blocked word is kept and compared; empty when nothing of it can be compared. */
export const blockedForm = (word: string): string => parts(word).join('');

/** The first of the words that the text contains, in the form in which it was blocked. */
export const findBlocked = (text: string, words: readonly string[]): string | undefined => {
  if (words.length === 0) return undefined;
  const pieces = parts(text);
  const starts = new Set<number>();
  const ends = new Set<number>();
  let squeezed = '';
  for (const piece of pieces) {
    starts.add(squeezed.length);
    squeezed += piece;
    ends.add(squeezed.length);
  }

  const contains = (form: string): boolean => {
    for (let at = squeezed.indexOf(form); at !== -1; at = squeezed.indexOf(form, at + 1)) {
      const end = at + form.length;
      const plural = squeezed[end] === 's' && ends.has(end + 1);
      if (starts.has(at) && (ends.has(end) || plural)) return true;
    }
    return false;
  };
  return words.find((word) => {
    const form = blockedForm(word);
    return form !== '' && contains(form);
  });
};
