import { decompose } from '../decompose.ts';

/** ASCII spellings of letters that Unicode does not decompose. */
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

/** A name for comparing: no case, accents or punctuation. */
const plain = (text: string): string =>
  decompose(text)
    .toLowerCase()
    .replace(/[æœøßłđðþı]/g, (letter) => written[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Names with the same key are equal. A name without letters (🎃) is its own key. */
export const sameAs = (name: string): string => plain(name) || name.trim();
