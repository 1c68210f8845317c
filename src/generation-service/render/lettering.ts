import { glyphs } from './glyphs.ts';

export interface Lettering {
  /** Height of the capitals. */
  size: number;
  colour: string;
  /** Thickness of the strokes as a share of the height. */
  weight?: number;
  /** Space between letters as a share of the height. */
  spacing?: number;
}

const cyrillic = 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЇЄҐЁ';
const cyrillicLatin =
  'A B V G D E ZH Z I Y K L M N O P R S T U F KH TS CH SH SHCH _ Y _ E YU YA I YI YE G YO'.split(' ');
const greek = 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ';
const greekLatin = 'A B G D E Z I TH I K L M N X O P R S T Y F CH PS O'.split(' ');
const spelled = new Map(
  [...cyrillic]
    .map((letter, n): [string, string] => [letter, (cyrillicLatin[n] ?? '').replace('_', '')])
    .concat([...greek].map((letter, n): [string, string] => [letter, greekLatin[n] ?? ''])),
);

/**
 * What can be lettered: accents are dropped, Cyrillic and Greek are spelled in Latin, emoji are left out. Other
 * scripts have no glyph here and fall back to the fonts of the system.
 */
const lettersOf = (text: string): string[] =>
  [...text.normalize('NFC').toUpperCase()]
    .filter(
      (letter) => !/\p{Cc}|\p{Cf}|\p{Cs}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/u.test(letter),
    )
    .flatMap((letter) => [
      ...(spelled.get(letter) ?? letter.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()),
    ])
    .flatMap((letter) => [...(spelled.get(letter) ?? letter)]);

const unknownWidth = 7;
const widthOf = (letter: string): number => glyphs[letter]?.[0] ?? unknownWidth;

function advance(letter: string, { size, spacing = 0.24 }: Lettering): number {
  return (widthOf(letter) / 10 + spacing) * size;
}

export const textWidth = (text: string, style: Lettering): number =>
  Math.max(
    0,
    lettersOf(text).reduce((sum, letter) => sum + advance(letter, style), 0) -
      (style.spacing ?? 0.24) * style.size,
  );

/** One line of text as SVG; `y` is the top of the capitals. */
export function lettering(text: string, x: number, y: number, style: Lettering): string {
  const { size, colour, weight = 0.13 } = style;
  let at = x;
  const parts = lettersOf(text).map((letter) => {
    const part = drawLetter(letter, at, y, style);
    at += advance(letter, style);
    return part;
  });
  const thick = (weight * 10).toFixed(2);
  return `<g fill="none" stroke="${colour}" stroke-width="${thick}" stroke-linecap="round" stroke-linejoin="round" data-size="${size}">${parts.join('')}</g>`;
}

function drawLetter(letter: string, x: number, y: number, { size, colour }: Lettering): string {
  const path = glyphs[letter]?.[1];
  if (path === undefined) {
    const font = `font-family="sans-serif" font-size="${size * 1.25}" fill="${colour}" stroke="none"`;
    return `<text x="${x.toFixed(1)}" y="${(y + size).toFixed(1)}" ${font}>${escapeXml(letter)}</text>`;
  }
  if (path === '') return '';
  return `<path transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${(size / 10).toFixed(3)})" d="${path}"/>`;
}

export const centred = (text: string, middle: number, y: number, style: Lettering): string =>
  lettering(text, middle - textWidth(text, style) / 2, y, style);

/** The largest size up to `style.size` at which the text fits into the width. */
export function fitted(text: string, width: number, style: Lettering): Lettering {
  const natural = textWidth(text, style);
  return natural <= width ? style : { ...style, size: (style.size * width) / natural };
}

/** Breaks text into lines; what does not fit into the last one is cut with dots. */
export function wrap(text: string, width: number, maxLines: number, style: Lettering): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidth(longer, style) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
    if (lines.length === maxLines) break;
  }
  if (lines.length < maxLines && line !== '') lines.push(line);
  else if (line !== '') lines.push(`${lines.pop() ?? ''}...`);
  return lines.map((full) => cut(full, width, style));
}

function cut(line: string, width: number, style: Lettering): string {
  if (textWidth(line, style) <= width) return line;
  const letters = [...line];
  const first = (count: number): string => `${letters.slice(0, count).join('')}...`;
  // By halves: a prompt may be one endless word.
  let [kept, tooMany] = [1, letters.length];
  while (kept + 1 < tooMany) {
    const middle = Math.floor((kept + tooMany) / 2);
    if (textWidth(first(middle), style) <= width) kept = middle;
    else tooMany = middle;
  }
  return first(kept);
}

const escapeXml = (letter: string): string =>
  letter.replace(/[<>&"']/g, (found) => `&#${found.codePointAt(0)};`);
