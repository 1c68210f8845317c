const longest = 100;
/** Three rows of the table, used again and again: this runs for every name on every keystroke. */
const rows = [0, 1, 2].map(() => new Uint8Array(longest + 2)) as [Uint8Array, Uint8Array, Uint8Array];

/**
 * Edits (insert, drop, change, swap of neighbours) between a word and each beginning of another, counted up to `most`;
 * beyond that, `most + 1`. Only cells near the diagonal are looked at: the others would cost more than `most` anyway.
 */
const lastRow = (a: string, b: string, most: number): Uint8Array | undefined => {
  const far = most + 1;
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
    if (least >= far) return undefined;
    [before, last, row] = [last, row, before];
  }
  return last;
};

/** Edits between two words. */
export const distance = (first: string, second: string, most: number): number => {
  const a = first.slice(0, longest);
  const b = second.slice(0, longest);
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) > most) return most + 1;
  return lastRow(a, b, most)?.[b.length] ?? most + 1;
};

/** Edits between what somebody is still typing and the beginning of a word, whichever is nearest. */
export const distanceToBeginning = (typed: string, word: string, most: number): number => {
  const a = typed.slice(0, longest);
  const b = word.slice(0, Math.min(longest, a.length + most));
  if (b.length < a.length - most) return most + 1;
  const row = lastRow(a, b, most);
  if (row === undefined) return most + 1;
  return Math.min(most + 1, ...row.subarray(Math.max(0, a.length - most), b.length + 1));
};
