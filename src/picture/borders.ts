/** How much of a picture each border takes, in shares of its width or height. */
export interface Borders {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Brightness of pixels of one border, which compression changes a little. */
const MOST_RANGE = 12;
/** A border takes at most so much of one side; what is left is still a picture. */
const MOST_SHARE = 0.4;

type Pixels = readonly number[];

const rangeOf = (pixels: Pixels): number => Math.max(...pixels) - Math.min(...pixels);

/** How many of the lines, from the first one on, are of one colour, which is the same for all of them. */
function borderLines(lines: readonly Pixels[]): number {
  const most = Math.floor(lines.length * MOST_SHARE);
  const [first = []] = lines;
  const inside = lines.findIndex((line) => rangeOf([...line, ...first]) > MOST_RANGE);
  if (inside < 1 || inside > most) return 0;
  // A border ends at once, within one line that has some of both; a sky grows darker line by line.
  const [last = [], next = []] = [lines[inside - 1], lines[inside + 1]];
  return rangeOf([...last, ...next]) > MOST_RANGE ? inside : 0;
}

/**
 * The borders of one colour around a picture, such as a frame, bars, or the page of a screenshot; undefined: there are none. `grey`: the
 * picture as `side` by `side` bytes.
 */
export function bordersOf(grey: Uint8Array, side: number): Borders | undefined {
  const rows = Array.from({ length: side }, (_, y) => [...grey.subarray(y * side, (y + 1) * side)]);
  const columns = Array.from({ length: side }, (_, x) => rows.map((row) => row[x] ?? 0));
  const [top, bottom] = [borderLines(rows), borderLines(rows.toReversed())];
  // Between the bars at the top and the bottom, those at the sides are of one colour.
  const between = columns.map((column) => column.slice(top, side - bottom));
  const [left, right] = [borderLines(between), borderLines(between.toReversed())];
  if (Math.max(left, top, right, bottom) === 0) return undefined;
  return {
    left: left / side,
    top: top / side,
    right: right / side,
    bottom: bottom / side,
  };
}
