import type { Composition } from './conversion.ts';
import { drawableText, type TextStyle, textSvg, textWidth, wrapText } from './text.ts';

/** The content of a statistics page. Texts that cannot be drawn are omitted. */
export interface Chart {
  readonly title: string;
  readonly subtitle: string;
  readonly totals: readonly { readonly label: string; readonly value: number }[];
  /** Bar charts with a bar for each value; `marks` are labels below some of the bars. */
  readonly series: readonly {
    readonly label: string;
    readonly values: readonly number[];
    readonly marks: readonly { readonly at: number; readonly text: string }[];
  }[];
  readonly lists: readonly {
    readonly label: string;
    /** The rows of a list; `value` is the length of the row's bar. */
    readonly rows: readonly { readonly name: string; readonly value: number; readonly text: string }[];
  }[];
}

const WIDTH = 1_000;
const MARGIN = 44;
const INNER = WIDTH - 2 * MARGIN;
const BACKGROUND = '#f5f3ee';
const INK = '#26232b';
const PALE = '#6d6874';
const LINE = '#d3cdc2';
const BAR = '#3d6fb6';
const QUALITY = 80;

/** Heights of capitals, chosen for a phone, which shows the picture at a third of its width. */
const SMALL = 22;
const NORMAL = 25;
const LARGE = 46;

const BARS_HEIGHT = 210;
const ROW_HEIGHT = 58;

/** Writes a number with its digits grouped by spaces, `12 345`, the same in every language. */
export const groupDigits = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ' ');

/** The next round number whose half is round as well, for the end of an axis. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value) ?? 10 * power;
}

function rect(x: number, y: number, width: number, height: number, fill: string): string {
  const [left, top, wide, high] = [x, y, width, height].map((each) => each.toFixed(1));
  return `<rect x="${left}" y="${top}" width="${wide}" height="${high}" fill="${fill}"/>`;
}

/** Draws one line of text, cut to the width. */
function write(text: string, x: number, y: number, style: TextStyle, width = INNER): string {
  const [line] = wrapText(drawableText(text) ?? '', width, 1, style);
  return line === undefined ? '' : textSvg(line, x, y, style);
}

const heading = (text: string, y: number): string =>
  write(text, MARGIN, y, { size: NORMAL, colour: INK, weight: 0.17 });

function totalsSvg(totals: Chart['totals'], top: number): string {
  const room = INNER / Math.max(1, totals.length);
  return totals
    .map(({ label, value }, index) => {
      const x = MARGIN + index * room;
      const large = { size: LARGE, colour: INK, weight: 0.14, maxWidth: room - 24 };
      const small = { size: SMALL, colour: PALE, maxWidth: room - 24 };
      return textSvg(groupDigits(value), x, top, large) + write(label, x, top + LARGE + 26, small, room * 2);
    })
    .join('');
}

/** Draws bars over an axis with three lines; the highest bar has its value above it. */
function seriesSvg({ label, values, marks }: Chart['series'][number], top: number): string {
  const most = roundUp(Math.max(...values));
  const style: TextStyle = { size: SMALL, colour: PALE };
  const ticks = most % 2 === 0 ? [0, most / 2, most] : [0, most];
  const axis = Math.max(...ticks.map((tick) => textWidth(groupDigits(tick), style))) + 18;
  const left = MARGIN + axis;
  const base = top + 84 + BARS_HEIGHT;
  const step = (INNER - axis) / values.length;
  const tall = (value: number): number => (value / most) * BARS_HEIGHT;
  const highest = values.indexOf(Math.max(...values));
  const middle = (index: number): number => left + (index + 0.5) * step;
  /** Moves a text so that it ends inside the picture. */
  const within = (text: string, x: number): number => {
    const half = textWidth(text, style) / 2;
    return Math.min(WIDTH - MARGIN - half, Math.max(left + half, x));
  };
  const above = groupDigits(values[highest] ?? 0);
  return [
    heading(label, top),
    ...ticks.map((tick) => {
      const y = base - tall(tick);
      return (
        rect(left, y - 1, INNER - axis, 2, LINE) +
        textSvg(groupDigits(tick), left - 14, y - SMALL / 2, { ...style, align: 'right' })
      );
    }),
    ...values.map((value, index) =>
      rect(left + index * step + step * 0.14, base - tall(value), step * 0.72, tall(value), BAR),
    ),
    textSvg(above, within(above, middle(highest)), base - tall(values[highest] ?? 0) - SMALL - 10, {
      ...style,
      colour: INK,
      align: 'middle',
    }),
    ...marks.map(({ at, text }) => {
      const shown = drawableText(text) ?? '';
      return (
        rect(middle(at) - 1, base, 2, 8, PALE) +
        textSvg(shown, within(shown, middle(at)), base + 20, { ...style, align: 'middle' })
      );
    }),
  ].join('');
}
const SERIES_HEIGHT = 84 + BARS_HEIGHT + 20 + SMALL + 50;

function listSvg({ label, rows }: Chart['lists'][number], top: number): string {
  const style: TextStyle = { size: SMALL, colour: INK };
  const most = Math.max(1, ...rows.map(({ value }) => value));
  const nameWidth = 380;
  const textsWidth = Math.max(...rows.map(({ text }) => textWidth(text, style)));
  const room = INNER - nameWidth - 20 - textsWidth - 16;
  return [
    heading(label, top),
    ...rows.map(({ name, value, text }, index) => {
      const y = top + NORMAL + 36 + index * ROW_HEIGHT;
      const wide = Math.max(3, (value / most) * room);
      const left = MARGIN + nameWidth + 20;
      return (
        write(name, MARGIN, y, style, nameWidth) +
        rect(left, y - 8, wide, SMALL + 16, BAR) +
        textSvg(text, left + wide + 16, y, style)
      );
    }),
  ].join('');
}

/** Lays out a statistics page from top to bottom. */
export function layOutChart({ title, subtitle, totals, series, lists }: Chart): Composition {
  const drawn = [
    write(title, MARGIN, 48, { size: 32, colour: INK, weight: 0.16 }),
    write(subtitle, MARGIN, 102, { size: SMALL, colour: PALE }),
    totalsSvg(totals, 176),
  ];
  let top = 176 + LARGE + 26 + SMALL + 62;
  for (const each of series) {
    drawn.push(seriesSvg(each, top));
    top += SERIES_HEIGHT;
  }
  for (const each of lists.filter(({ rows }) => rows.length > 0)) {
    drawn.push(listSvg(each, top));
    top += NORMAL + 36 + each.rows.length * ROW_HEIGHT + 34;
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${top}">${drawn.join('')}</svg>`;
  return { width: WIDTH, height: top, background: BACKGROUND, pictures: [], svg, quality: QUALITY };
}
