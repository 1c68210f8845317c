const longest = 100;
/** Three rows of the table, used again and again: this runs for every name on every keystroke. */
const rows = [0, 1, 2].map(() => new Uint8Array(longest + 2)) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Edits (insert, drop, change, swap of neighbours) between two words, counted up to `most`; beyond that, `most + 1`.
 * Only cells near the diagonal are looked at: the others would cost more than `most` anyway.
 */
export const distance = (first: string, second: string, most: number): number => {
  const a = first.slice(0, longest);
  const b = second.slice(0, longest);
  if (a === b) return 0;
  const far = most + 1;
  if (Math.abs(a.length - b.length) > most) return far;
  let [before, last, row] = rows;
  for (let j = 0; j <= b.length; j += 1) last[j] = Math.min(j, far);
  for (let i = 1; i <= a.length; i += 1) {
    const from = Math.max(1, i - most);
    const to = Math.min(b.length, i + most);
    let least = from === 1 ? Math.min(i, far) : far;
    row[from - 1] = least;
    for (let j = from; j <= to; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      const above = j === i + most ? far : (last[j] ?? far);
      let best = Math.min(above + 1, (row[j - 1] ?? far) + 1, (last[j - 1] ?? far) + (same ? 0 : 1), far);
      const swapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) best = Math.min(best, (before[j - 2] ?? far) + 1);
      row[j] = best;
      least = Math.min(least, best);
    }
    if (least >= far) return far;
    [before, last, row] = [last, row, before];
  }
  return Math.min(last[b.length] ?? far, far);
};
