import { decompose } from '../decompose.ts';

/** ASCII spellings of letters that Unicode does not decompose. */
const ASCII_SPELLINGS: Readonly<Record<string, string>> = {
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
function plain(text: string): string {
  return decompose(text)
    .toLowerCase()
    .replace(/[æœøßłđðþı]/g, (letter) => ASCII_SPELLINGS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Names with the same key are equal. A name without letters (🎃) is its own key. */
export const comparableName = (name: string): string => plain(name) || name.trim();
