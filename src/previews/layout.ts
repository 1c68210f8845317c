import type { Area } from '../base/area.ts';
import { defined } from '../base/defined.ts';
import type { Composition } from '../picture/conversion.ts';
import { drawableText, type TextStyle, textSvg, textWidth, wrapText } from '../picture/text.ts';
import { TILE_SIDE } from './tiles.ts';

export interface TileContent {
  /** The number in the corner that people type or press; may be empty. */
  readonly label: string;
  readonly name: string;
  /** The picture; without one the name is drawn in its place. */
  readonly picture?: Uint8Array | undefined;
  /** The part of the picture to show; absent: all of it. */
  readonly part?: Area;
}

const WIDTH = 1_032;
const MARGIN = 20;
const GAP = 16;
const BACKGROUND = '#f5f3ee';
const PLAIN = '#dfdad0';
const INK = '#26232b';
const BADGE = '#1b191f';
/** Line height relative to the height of capitals, with room for accents above and below. */
const LINE_HEIGHT = 1.75;
const MOST_NAME_LINES = 2;
const MOST_PLAIN_LINES = 4;
const QUALITY = 57;

/** The number of columns; few, so that tiles are large: most people look at them on a phone. */
export function columnsFor(count: number): number {
  if (count <= 3) return count;
  if (count === 4) return 2;
  if (count <= 9) return 3;
  return count <= 16 ? 4 : 5;
}

interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** Covers the corners of a picture with the background, so that they look round; the outline is for pale pictures. */
function roundCorners({ left, top, side }: Square): string {
  const r = Math.round(side * 0.06);
  const square = `M${left} ${top} h${side} v${side} h${-side} z`;
  const round =
    `M${left + r} ${top} h${side - 2 * r} a${r} ${r} 0 0 1 ${r} ${r} v${side - 2 * r} a${r} ${r} 0 0 1 ${-r} ${r} ` +
    `h${2 * r - side} a${r} ${r} 0 0 1 ${-r} ${-r} v${2 * r - side} a${r} ${r} 0 0 1 ${r} ${-r} z`;
  return (
    `<path fill="${BACKGROUND}" fill-rule="evenodd" d="${square} ${round}"/>` +
    `<path fill="none" stroke="#000000" stroke-opacity=".12" d="${round}"/>`
  );
}

function badge(label: string, { left, top, side }: Square): string {
  const size = side * 0.09;
  const style: TextStyle = { size, colour: '#ffffff', weight: 0.15, align: 'middle' };
  const [text] = wrapText(drawableText(label) ?? '', side * 0.6, 1, style);
  if (text === undefined) return '';
  const padding = size * 0.62;
  const height = size + 2 * padding;
  const width = Math.max(height, textWidth(text, style) + 2 * padding);
  const x = left + side * 0.035;
  const y = top + side * 0.035;
  const place = `x="${x.toFixed(1)}" y="${y.toFixed(1)}" rx="${(height / 2).toFixed(1)}"`;
  const box = `<rect ${place} width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="${BADGE}" fill-opacity=".82"/>`;
  return box + textSvg(text, x + width / 2, y + padding, style);
}

function writeLines(lines: readonly string[], x: number, top: number, style: TextStyle): string {
  const height = style.size * LINE_HEIGHT;
  const first = top + (height - style.size) / 2;
  return lines.map((line, index) => textSvg(line, x, first + index * height, style)).join('');
}

/** Lays out a sheet: rows of tiles, each with its number in a corner and its name below. */
export function layOut(tiles: readonly TileContent[]): Composition {
  const columns = columnsFor(tiles.length);
  const room = (WIDTH - 2 * MARGIN - (columns - 1) * GAP) / columns;
  const side = Math.min(TILE_SIDE, Math.floor(room));
  const style: TextStyle = { size: side * 0.072, colour: INK, weight: 0.14, align: 'middle' };
  const larger = { ...style, size: side * 0.085 };
  const named = tiles.map(({ name, ...tile }) => {
    const text = drawableText(name) ?? '';
    return { ...tile, text, lines: wrapText(text, side, MOST_NAME_LINES, style) };
  });
  const rows = Array.from({ length: Math.ceil(tiles.length / columns) }, (_, row) =>
    named.slice(row * columns, (row + 1) * columns),
  );

  const pictures: Composition['pictures'][number][] = [];
  const drawn: string[] = [];
  let top = MARGIN;
  for (const row of rows) {
    for (const [column, { label, text, picture, part, lines }] of row.entries()) {
      const square = { left: MARGIN + column * (side + GAP), top, side };
      const middle = square.left + side / 2;
      if (picture === undefined) {
        const inside = wrapText(text, side * 0.86, MOST_PLAIN_LINES, larger);
        const y = top + (side - inside.length * larger.size * LINE_HEIGHT) / 2;
        drawn.push(
          `<rect x="${square.left}" y="${top}" width="${side}" height="${side}" fill="${PLAIN}"/>`,
          writeLines(inside, middle, y, larger),
        );
      } else {
        const place = { left: square.left, top, width: side, height: side };
        pictures.push({ bytes: picture, ...place, ...defined({ part }) });
        drawn.push(writeLines(lines, middle, top + side + style.size * 0.5, style));
      }
      drawn.push(roundCorners(square), badge(label, square));
    }
    const below = Math.max(...row.map(({ picture, lines }) => (picture === undefined ? 0 : lines.length)));
    top += side + GAP + Math.ceil(style.size * (below === 0 ? 0 : 0.5 + below * LINE_HEIGHT));
  }

  const width = 2 * MARGIN + columns * side + (columns - 1) * GAP;
  const height = top - GAP + MARGIN;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawn.join('')}</svg>`;
  return { width, height, background: BACKGROUND, pictures, svg, quality: QUALITY };
}
