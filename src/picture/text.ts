import { ACCENT_STROKES, GLYPHS } from './glyphs.ts';

/** How a text is drawn. */
export interface TextStyle {
  /** Height of the capitals. */
  size: number;
  colour: string;
  /** Thickness of the strokes as a share of the height. */
  weight?: number;
  /** Space between letters as a share of the height. */
  spacing?: number;
  /** Which end of the text `x` refers to; by default the left one. */
  align?: 'left' | 'middle' | 'right';
  /** A longer text is drawn smaller. */
  maxWidth?: number;
}

const CYRILLIC = 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЇЄҐЁ';
const cyrillicLatin =
  'A B V G D E ZH Z I Y K L M N O P R S T U F KH TS CH SH SHCH _ Y _ E YU YA I YI YE G YO'.split(' ');
const GREEK = 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ';
const greekLatin = 'A B G D E Z I TH I K L M N X O P R S T Y F CH PS O'.split(' ');
/** Letters and signs that do not decompose into a plain one and an accent. */
const OTHERS = 'ÆŒØŁĐÐÞ“”„«»‘‚—';
const othersLatin = `AE OE O L D D TH " " " " " ' ' –`.split(' ');
const latin = new Map(
  [...(CYRILLIC + GREEK + OTHERS)].map((letter, n) => [
    letter,
    ([...cyrillicLatin, ...greekLatin, ...othersLatin][n] ?? '').replace('_', ''),
  ]),
);

/** Characters without a shape. XML cannot hold some of them: control characters, lone surrogates, U+FFFE and U+FFFF. */
const SHAPELESS =
  /\p{Cc}|\p{Cf}|\p{Cs}|\p{Noncharacter_Code_Point}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F/gu;

/**
 * Splits a text into letters that can be drawn, each with its accents. Cyrillic and Greek are spelled in Latin; emoji and rare
 * accents are omitted. Other scripts have no glyph here and use the fonts of the system. All text in an SVG comes from here.
 */
function lettersOf(text: string): string[] {
  // Most texts are plain ASCII; other texts cost thirty times as much.
  if (/^[ -~]*$/.test(text)) return [...text.toUpperCase()];
  const shown = text.normalize('NFC').toUpperCase().replace(SHAPELESS, '');
  // Spelled before accents are removed, for letters with a spelling of their own (Й), and after that for others (Ή).
  const spelled = Array.from(shown, (letter) => latin.get(letter) ?? decomposed(letter)).join('');
  const written = Array.from(spelled, (letter) => latin.get(letter) ?? letter).join('');
  return written.match(/\P{M}\p{M}*/gu) ?? [];
}

function decomposed(letter: string): string {
  const [base = '', ...marks] = letter.normalize('NFKD').toUpperCase();
  const isLatin = GLYPHS[base] !== undefined;
  return base + marks.filter((mark) => !/\p{M}/u.test(mark) || (isLatin && mark in ACCENT_STROKES)).join('');
}

const glyphOf = (letter: string): (typeof GLYPHS)[string] | undefined => GLYPHS[[...letter][0] ?? ''];

/**
 * The text without signs that have no glyph. Undefined if one of these is a letter or a digit, because the text without it
 * would be another name.
 */
export function drawableText(text: string): string | undefined {
  const letters = lettersOf(text);
  const missing = letters.filter((letter) => glyphOf(letter) === undefined);
  if (missing.some((letter) => /[\p{L}\p{N}]/u.test(letter))) return undefined;
  return (
    letters
      .filter((letter) => !missing.includes(letter))
      .join('')
      .replaceAll(/ {2,}/g, ' ')
      .trim() || undefined
  );
}

/** The distance between the left ends of a letter and the next one. */
function advance(letter: string, { size, spacing = 0.24 }: TextStyle): number {
  const widthWithoutGlyph = 7;
  return ((glyphOf(letter)?.[0] ?? widthWithoutGlyph) / 10 + spacing) * size;
}

/** The width of a text when drawn in this style. */
export function textWidth(text: string, style: TextStyle): number {
  const { size, spacing = 0.24 } = style;
  const total = lettersOf(text).reduce((sum, letter) => sum + advance(letter, style), 0);
  return Math.max(0, total - spacing * size);
}

/** Draws one line of text as SVG; `y` is the top of the capitals. */
export function textSvg(text: string, x: number, y: number, style: TextStyle): string {
  const { colour, weight = 0.13, align = 'left', maxWidth = Number.POSITIVE_INFINITY } = style;
  const natural = textWidth(text, style);
  const scale = Math.min(1, maxWidth / natural);
  const fitted = { ...style, size: style.size * scale };
  const top = y + (style.size - fitted.size) / 2;
  let at = x - natural * scale * { left: 0, middle: 0.5, right: 1 }[align];
  const letters = lettersOf(text).map((letter) => {
    const svg = letterSvg(letter, at, top, fitted);
    at += advance(letter, fitted);
    return svg;
  });
  const stroke = `stroke="${colour}" stroke-width="${(weight * 10).toFixed(2)}"`;
  return `<g fill="none" ${stroke} stroke-linecap="round" stroke-linejoin="round">${letters.join('')}</g>`;
}

function letterSvg(letter: string, x: number, y: number, { size, colour }: TextStyle): string {
  const glyph = glyphOf(letter);
  if (glyph === undefined) {
    const font = `font-family="sans-serif" font-size="${size * 1.25}" fill="${colour}" stroke="none"`;
    const escaped = letter.replace(/[<>&"']/g, (found) => `&#${found.codePointAt(0)};`);
    return `<text x="${x.toFixed(1)}" y="${(y + size).toFixed(1)}" ${font}>${escaped}</text>`;
  }
  const [width, path] = glyph;
  if (path === '') return '';
  const stroke = (d: string, left: number) =>
    `<path transform="translate(${left.toFixed(1)} ${y.toFixed(1)}) scale(${(size / 10).toFixed(3)})" d="${d}"/>`;
  const marks = [...letter]
    .slice(1)
    .map((mark) => stroke(ACCENT_STROKES[mark] ?? '', x + (width * size) / 20));
  return [stroke(path, x), ...marks].join('');
}

/** Breaks text into lines; the last line is cut with dots if the text does not fit. */
export function wrapText(text: string, width: number, maxLines: number, style: TextStyle): string[] {
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

function cut(line: string, width: number, style: TextStyle): string {
  if (textWidth(line, style) <= width) return line;
  const letters = [...line];
  const first = (count: number) => `${letters.slice(0, count).join('')}...`;
  // Binary search, because a prompt may be one endless word.
  let kept = 1;
  let tooMany = letters.length;
  while (kept + 1 < tooMany) {
    const middle = Math.floor((kept + tooMany) / 2);
    if (textWidth(first(middle), style) <= width) kept = middle;
    else tooMany = middle;
  }
  return first(kept);
}
