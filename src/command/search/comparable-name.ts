import { decompose } from '../decompose.ts';

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
