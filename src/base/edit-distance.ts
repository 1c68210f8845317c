const LONGEST = 100;
/** Three rows of the table, reused because the distance is computed for every name on every keystroke. */
const rows = [0, 1, 2].map(() => new Uint8Array(LONGEST + 2)) as [Uint8Array, Uint8Array, Uint8Array];

/** A work budget for comparisons, in table rows of at most seven cells. */
export interface Effort {
  rows: number;
}

/**
 * The edit distance (insert, delete, replace, swap of neighbours) between a word and each prefix of another (`b` after
 * `skipped` letters, `length` of them), counted up to `most`, then `most + 1`. Only cells near the diagonal are computed,
 * because the others would exceed `most`.
 */
function lastRow(a: string, b: string, skipped: number, length: number, most: number, effort?: Effort) {
  const far = most + 1;
  let [before, last, row] = rows;
  for (let j = 0; j <= Math.min(length, far); j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    if (effort !== undefined) effort.rows -= 1;
    const from = Math.max(1, i - most);
    const to = Math.min(length, i + most);
    let least = from === 1 ? Math.min(i, far) : far;
    row[from - 1] = least;
    const letter = a.charCodeAt(i - 1);
    for (let j = from; j <= to; j += 1) {
      const other = b.charCodeAt(skipped + j - 1);
      const above = j === i + most ? far : (last[j] ?? far);
      let best = Math.min(
        above + 1,
        (row[j - 1] ?? far) + 1,
        (last[j - 1] ?? far) + (letter === other ? 0 : 1),
        far,
      );
      const swapped =
        i > 1 && j > 1 && letter === b.charCodeAt(skipped + j - 2) && a.charCodeAt(i - 2) === other;
      if (swapped) best = Math.min(best, (before[j - 2] ?? far) + 1);
      row[j] = best;
      if (best < least) least = best;
    }
    if (least >= far) return undefined;
    [before, last, row] = [last, row, before];
  }
  return last;
}

/** The edit distance between two words, at most `most + 1`. */
export function editDistance(first: string, second: string, most: number): number {
  const a = first.slice(0, LONGEST);
  const b = second.slice(0, LONGEST);
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > most) return most + 1;
  return lastRow(a, b, 0, b.length, most)?.[b.length] ?? most + 1;
}

/** The edit distance between a partly typed word and the nearest prefix of a name after `skipped` letters. */
export function distanceToBeginning(typed: string, name: string, most: number, skipped = 0, effort?: Effort) {
  const a = typed.slice(0, LONGEST);
  const length = Math.min(LONGEST, a.length + most, name.length - skipped);
  if (length < a.length - most) return most + 1;
  const row = lastRow(a, name, skipped, length, most, effort);
  let least = most + 1;
  if (row !== undefined)
    for (let j = Math.max(0, a.length - most); j <= length; j += 1) least = Math.min(least, row[j] ?? least);
  return least;
}
