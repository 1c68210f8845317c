import { decompose } from '../../command/decompose.ts';

/**
 * Latin letters with the characters that look like them. Letters with accents, and full-width, circled and mathematical
 * letters need no entry, because Unicode decomposes them.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: '4 а α ɑ ᴀ',
  ae: 'æ ᴁ',
  b: '8 в β ь ƅ ƀ ʙ',
  c: 'с ϲ ƈ ȼ ᴄ',
  d: 'ԁ đ ð ɗ δ ᴅ',
  e: '3 е є ε ə ɛ ᴇ ℮',
  f: 'ƒ ꜰ',
  g: '9 6 ɡ ց ɢ',
  h: 'н һ հ ħ ʜ',
  // The letters "l", "1" and "I" count as the same.
  i: '1 l і ӏ ι ı ɩ ł ɪ ʟ ɫ',
  j: 'ј ᴊ',
  k: 'к κ ĸ ƙ ᴋ',
  m: 'м ᴍ',
  n: 'п ո ռ η ŋ π ɴ ɳ',
  o: '0 о ο օ ø σ ɵ ᴏ',
  oe: 'œ ɶ',
  p: 'р ρ ƥ ᴘ',
  q: 'ԛ զ',
  r: 'г ʀ ɾ',
  s: '5 ѕ ς ꜱ ʂ',
  ss: 'ß',
  t: '7 т τ ŧ ƭ ᴛ',
  th: 'þ',
  u: 'ս υ μ ʋ ᴜ',
  v: 'ѵ ν ᴠ',
  w: 'ԝ ω ѡ ᴡ',
  x: 'х χ',
  y: 'у γ ү ƴ ʏ',
  z: '2 ζ ʐ ƶ ᴢ',
};

/** Greek capitals that look like another Latin letter than their small letters: Ν is an N, but ν is a v. */
const CAPITALS: Readonly<Record<string, string>> = { Η: 'H', Μ: 'M', Ν: 'N', Υ: 'Y' };

/** Replaces such Greek capitals by Latin ones. */
export const withLatinCapitals = (text: string): string =>
  text.replace(/[ΗΜΝΥ]/g, (letter) => CAPITALS[letter] ?? letter);

/** Signs that can stand for letters inside a word. */
const SIGNS: Readonly<Record<string, string>> = { '@': 'a', $: 's', '€': 'e', '|': 'i', '+': 't', '!': 'i' };

/**
 * The first characters of alphabets that Unicode does not count as letters: regional indicators, negative circled, negative
 * squared.
 */
const ALPHABETS = [0x1f1e6, 0x1f150, 0x1f170];

const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([letter, others]) =>
    others.split(' ').map((other) => [other, letter]),
  ),
);
for (const first of ALPHABETS) {
  for (let at = 0; at < 26; at += 1) {
    const letter = String.fromCharCode(97 + at);
    LATIN.set(String.fromCodePoint(first + at), LATIN.get(letter) ?? letter);
  }
}

/** Matches marks, format characters and the two fillers of Korean syllables. */
const INVISIBLE = /[\p{M}\p{Cf}\u115f\u1160]/gu;

/** Writes a text in plain Latin letters, for comparing. `signsAsLetters`: the signs that are read as letters. */
export function plainLetters(text: string, signsAsLetters: string): string {
  let plain = '';
  for (const letter of decompose(text).toLowerCase().replace(INVISIBLE, ''))
    plain += (signsAsLetters.includes(letter) ? SIGNS[letter] : LATIN.get(letter)) ?? letter;
  // The normalization recomposes Korean syllables.
  return plain.normalize('NFC');
}
